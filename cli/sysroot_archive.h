/* SPDX-License-Identifier: MIT */
#ifndef CLI_SYSROOT_ARCHIVE_H
#define CLI_SYSROOT_ARCHIVE_H

/* A capture that is one file, unpacked to where nobody else can look for as long as it is read. */
struct sysroot_archive;

/* 0, or an exit status after one message. */
int sysroot_archive_open(const char *file, struct sysroot_archive **ret);

/* The directory that holds proc and sys. */
const char *sysroot_archive_root(const struct sysroot_archive *archive);

/* NULL is fine. Returns NULL. */
struct sysroot_archive *sysroot_archive_close(struct sysroot_archive *archive);

#endif
