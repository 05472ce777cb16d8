#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --anonymise makes of each kind of name, in each file that has some."""

import re
import sys

sys.dont_write_bytecode = True
import slow_tree  # noqa: E402
from tool import check, files_of, main, same  # noqa: E402

ID = "0123456789abcdef" * 4
POD = "11111111-2222-3333-4444-555555555555"
N = r"name\d+"  # a stand-in
HEX = "[0-9a-f]"

# As the kernel prints it, and what it may look like afterwards.
MAPPINGS = [
    ("/usr/lib/private.so", f"/{N}/{N}/{N}"),
    ("/usr/lib/private.so (deleted)", f"/{N}/{N}/{N} \\(deleted\\)"),
    ("/a (deleted) (deleted)", f"/{N} \\(deleted\\)"),
    ("/private\\012line", f"/{N}"),
    ("/private with blanks", f"/{N}"),
    ("//double//slash", f"//{N}//{N}"),
    ("/caf\udcc3\udca9\udcff", f"/{N}"),
    ("/memfd:private heap (deleted)", f"/memfd:{N} \\(deleted\\)"),
    ("/memfd:a/private (deleted)", f"/memfd:{N}/{N} \\(deleted\\)"),
    ("/memfd: (deleted)", "/memfd: \\(deleted\\)"),
    ("/SYSV0052e2c1 (deleted)", "/SYSV0052e2c1 \\(deleted\\)"),
    ("/SYSV0052e2c1", "/SYSV0052e2c1"),
    ("/SYSV0052e2c1 private", f"/SYSV0052e2c1 {N}"),
    ("/SYSV0052e2c1private", f"/{N}"),
    ("/SYSV0052e2c1/private", f"/{N}/{N}"),
    ("/dev/zero (deleted)", "/dev/zero \\(deleted\\)"),
    ("/dev/zero", "/dev/zero"),
    ("/dev/zero private", f"/{N}/{N}"),
    ("/anon_hugepage (deleted)", "/anon_hugepage \\(deleted\\)"),
    ("/[aio] (deleted)", "/\\[aio\\] \\(deleted\\)"),
    ("/drm mm object (deleted)", "/drm mm object \\(deleted\\)"),
    ("(unreachable)/private/file", f"\\(unreachable\\)/{N}/{N}"),
    ("[heap]", "\\[heap\\]"), ("[stack]", "\\[stack\\]"), ("[stack:123]", "\\[stack:123\\]"),
    ("[vdso]", "\\[vdso\\]"), ("[vvar_vclock]", "\\[vvar_vclock\\]"),
    ("[vsyscall]", "\\[vsyscall\\]"),
    ("[anon:private arena]", f"\\[anon:{N}\\]"), ("[anon:]", "\\[anon:\\]"),
    ("[anon_shmem:private]", f"\\[anon_shmem:{N}\\]"),
    ("[anon:private", f"\\[anon:{N}"),
    ("[Private]", N),
    ("anon_inode:[io_uring]", "anon_inode:\\[io_uring\\]"),
    ("socket:[4711]", "socket:\\[4711\\]"),
    ("", ""),
]

CGROUPS = [
    ("/", "/"), ("/system.slice/private.service", f"/system\\.slice/{N}\\.service"),
    ("/user.slice/user-1000.slice/user@1000.service/app.slice/private.scope",
     f"/user\\.slice/user-1000\\.slice/user@1000\\.service/app\\.slice/{N}\\.scope"),
    ("/user.slice/user-1000.slice/session-3.scope",
     "/user\\.slice/user-1000\\.slice/session-3\\.scope"),
    (f"/docker/{ID}", f"/docker/{HEX}{{64}}"),
    (f"/system.slice/docker-{ID}.scope", f"/system\\.slice/docker-{HEX}{{64}}\\.scope"),
    (f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{POD.replace('-', '_')}.slice"
     f"/cri-containerd-{ID}.scope",
     "/kubepods\\.slice/kubepods-burstable\\.slice/kubepods-burstable-pod"
     f"{HEX}{{8}}(_{HEX}{{4}}){{3}}_{HEX}{{12}}\\.slice/cri-containerd-{HEX}{{64}}\\.scope"),
    (f"/kubepods/besteffort/pod{POD}/{ID}",
     f"/kubepods/besteffort/pod{HEX}{{8}}(-{HEX}{{4}}){{3}}-{HEX}{{12}}/{HEX}{{64}}"),
    ("/lxc/private", f"/lxc/{N}"), ("/../private", f"/\\.\\./{N}"),
    ("/private.service (deleted)", f"/{N}\\.service \\(deleted\\)"),
    ("/docker-private.scope", f"/{N}\\.scope"), ("/user-private.slice", f"/{N}\\.slice"),
    ("/pri:vate", f"/{N}"),
]

MOUNTS = [
    ("21 1 0:20 / /proc rw,nosuid - proc proc rw", None),
    ("22 1 0:21 / /sys rw shared:7 - sysfs sysfs rw", None),
    ("23 22 0:22 / /sys/fs/cgroup rw shared:8 - cgroup2 cgroup2 rw,nsdelegate", None),
    ("24 22 0:23 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", None),
    ("25 22 0:24 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd",
     f"25 22 0:24 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name={N}"),
    (f"26 22 0:25 /docker/{ID} /sys/fs/cgroup/memory/docker/{ID} rw - cgroup cgroup rw,memory",
     f"26 22 0:25 /docker/({HEX}{{64}}) /sys/fs/cgroup/memory/docker/\\1 rw - cgroup cgroup "
     "rw,memory"),
    ("27 1 0:26 / /private/host/sys/fs/cgroup rw - cgroup2 none rw",
     f"27 1 0:26 / /{N}/{N}/sys/fs/cgroup rw - cgroup2 none rw"),
    ("28 1 0:27 / /dev/shm rw - tmpfs tmpfs rw,size=65536k,nr_inodes=40,huge=within_size,mode=755",
     f"28 1 0:27 / /{N}/{N} rw - tmpfs tmpfs "
     "rw,size=65536k,nr_inodes=40,huge=within_size,mode=755"),
    ("29 1 0:28 / /private\\040dir rw - hugetlbfs nodev rw,pagesize=2M,uid=1000",
     f"29 1 0:28 / /{N} rw - hugetlbfs {N} rw,pagesize=2M,uid=1000"),
    ("30 1 8:1 /private/root / rw,relatime master:1 propagate_from:2 - ext4 /dev/private1 "
     "rw,errors=remount-ro",
     f"30 1 8:1 /{N}/{N} / rw,relatime master:1 propagate_from:2 - ext4 /{N}/{N} rw,errors={N}"),
    ("31 1 0:30 / / rw - overlay overlay rw,lowerdir=/private/a:/private/b,upperdir=/private/c",
     f"31 1 0:30 / / rw - overlay overlay rw,lowerdir={N},upperdir={N}"),
    ("32 1 0:31 / /mnt rw - nfs4 private:/export rw,vers=4.2,addr=192.168.13.14",
     f"32 1 0:31 / /{N} rw - nfs4 {N}/{N} rw,vers={N},addr={N}"),
    ("33 1 0:4 net:[4026531840] /run/private rw - nsfs nsfs rw",
     f"33 1 0:4 net:\\[4026531840\\] /{N}/{N} rw - nsfs nsfs rw"),
    ("34 1 0:32 / /tmp rw - tmpfs  rw", f"34 1 0:32 / /{N} rw - tmpfs  rw"),
    ("not a mount of private things", N),
]

ARGUMENTS = [
    ("/usr/bin/private", N), ("-Xmx31g", "-Xmx31g"), ("-Xms512m", "-Xms512m"), ("-Xint", "-Xint"),
    ("-XX:+UseZGC", "-XX:\\+UseZGC"), ("-XX:-UseG1GC", "-XX:-UseG1GC"),
    ("-XX:MaxRAMPercentage=70.0", "-XX:MaxRAMPercentage=70\\.0"),
    ("-XX:LargePageSizeInBytes=2m", "-XX:LargePageSizeInBytes=2m"),
    ("-XX:HeapDumpPath=/private", f"-XX:HeapDumpPath={N}"),
    ("-XX:OnOutOfMemoryError=kill private", f"-XX:OnOutOfMemoryError={N}"),
    ("-Xlog:gc*:file=/private", f"-Xlog:{N}"),
    ("-Xbootclasspath/a:/private", f"-Xbootclasspath{N}"),
    ("-X", N), ("-Dpassword=private", N), ("--name=private", N), ("", ""), ("private", N),
]


def smaps(names):
    text = ""
    for number, name in enumerate(names):
        first, _, rest = slow_tree.record(number).partition("\n")
        text += first.rstrip() + "  " + name + "\n" + rest
    return text


def write(root, path, text):
    path = root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))


STATUS = "Name:\t{}\nState:\tS (sleeping)\nPPid:\t1\nUid:\t1000\t1001\t1000\t1000\n" \
         "VmSize:\t 64 kB\nVmRSS:\t 64 kB\nGroups:\t4 24 \n"


def make_tree(root):
    write(root, "proc/version", "Linux version 6.1.0-custom (builder@private.example) (gcc) #1\n")
    write(root, "proc/self/mountinfo", "".join(line + "\n" for line, _ in MOUNTS))
    for pid, (path, _) in enumerate(CGROUPS, 1):
        write(root, f"proc/{pid}/cgroup", f"3:name=private:/private\n2:memory:{path}\n0::{path}\n")
        write(root, f"proc/{pid}/status", STATUS.format("private"))
        write(root, f"proc/{pid}/stat", f"{pid} (private) S {'1 ' * 40}\n")
    write(root, "proc/1/smaps", smaps(name for name, _ in MAPPINGS))
    write(root, "proc/1/status", STATUS.format("pri) \\\\ (v\\nate"))
    write(root, "proc/1/stat", f"1 (pri) \\ (v\nate) S {'1 ' * 40}\n")
    write(root, "proc/1/cmdline", "".join(text + "\0" for text, _ in ARGUMENTS))
    write(root, "proc/2/cmdline", "private")
    write(root, "proc/2/smaps", smaps(["/private.so"]) + "Name:           [anon:private]\n"
          "Comment: private\nprivate\nVmFlags: rd private ex\n")


def capture(tool, directory):
    make_tree(directory / "tree")
    done = tool.run("--sysroot", directory / "tree", "capture", "--anonymise", directory / "c")
    same((done.returncode, done.stderr), (0, b""), "capture")
    return {path: data.decode(errors="surrogateescape")
            for path, data in files_of(directory / "c").items() if data is not None}


def matches(found, wanted, what):
    for text, (before, pattern) in zip(found, wanted):
        pattern = re.escape(before) if pattern is None else pattern
        check(re.fullmatch(pattern, text), f"{what}: {before!r} became {text!r}")
    same(len(found), len(wanted), what)
    pairs = {(before, text) for text, (before, _) in zip(found, wanted)}
    same(len({text for _, text in pairs}), len(pairs), f"{what}: one to one")


def test_names(tool, directory):
    files = capture(tool, directory)
    lines = [line for line in files["proc/1/smaps"].splitlines() if "-p 0000" in line]
    matches([line.split(" ", 5)[5].strip() if line.count(" ") > 4 else "" for line in lines],
            MAPPINGS, "mapping")
    matches(files["proc/self/mountinfo"].splitlines(), MOUNTS, "mount")
    matches(files["proc/1/cmdline"].split("\0")[:-1], ARGUMENTS, "argument")
    matches([files[f"proc/{pid}/cgroup"].splitlines()[2][3:] for pid in range(1, len(CGROUPS) + 1)],
            CGROUPS, "cgroup")
    for path, text in files.items():
        check("private" not in text and "192.168" not in text and ID not in text and
              POD not in text, f"{path} tells a name")


def test_same_name(tool, directory):
    """One name has one stand-in, wherever it stands."""
    files = capture(tool, directory)
    alias = re.search(r"Name:\t(.*)\n", files["proc/2/status"])[1]
    same(files["proc/2/stat"].split(" ")[1], f"({alias})", "stat")
    same(files["proc/2/cmdline"], alias, "cmdline, which has no NUL at its end")
    same(files["proc/2/cgroup"].splitlines()[1],
         f"2:memory:/system.slice/{alias}.service", "cgroup")
    same(files["proc/2/cgroup"].splitlines()[0], f"3:name={alias}:/{alias}", "named hierarchy")
    odd = re.search(r"Name:\t(.*)\n", files["proc/1/status"])[1]
    check(re.fullmatch(N, odd), odd)
    same(files["proc/1/stat"].split(" ")[1], f"({odd})", "an escaped name and a raw one")
    same(files["proc/1/stat"].split(" ")[2:], ["S"] + ["1"] * 40 + ["\n"], "stat")
    tail = files["proc/2/smaps"].splitlines()[-4:]
    same(tail[0], f"Name:           [anon:{alias}]", "lines of vendors")
    same(tail[1:], [f"Comment: {alias}", alias, f"VmFlags: rd {alias} ex"], "other lines")
    same(files["proc/version"], "Linux version 6.1.0-custom\n", "version")
    check('"anonymised": true' in files["manifest.json"], "the manifest says so")


def test_by_lot(tool, directory):
    """Ids are drawn anew each time, and selections tell no names."""
    make_tree(directory / "tree")
    ids = set()
    for name in ("first", "second"):
        done = tool.run("--sysroot", directory / "tree", "capture", "--anonymise", "--cgroup",
                        "/docker", "--name", "private", "--user", "1001", directory / name)
        same((done.returncode, done.stderr), (0, b""), name)
        files = files_of(directory / name)
        (cgroup,) = [data for path, data in files.items() if path.endswith("/cgroup")]
        ids.add(cgroup.splitlines()[2])
        check(b"docker" not in files["manifest.json"], "cgroups that were asked for")
        check(b"private" not in files["manifest.json"], "names that were asked for")
    same(len(ids), 2, "ids")


if __name__ == "__main__":
    sys.exit(main([("names", test_names), ("the same name", test_same_name),
                   ("by lot", test_by_lot)]))
