# SPDX-License-Identifier: MIT
# Completion of thpstat for fish. Columns are asked of the program itself when they are needed.

# The command among the words so far; nothing when there is none yet.
function __thpstat_command
    for word in (commandline --tokenize --cut-at-cursor --current-process)[2..]
        if contains -- $word pid ps maps host capture help
            echo $word
            return
        end
    end
end

# Is it this one? Without an argument: is there none?
function __thpstat_command_is
    test "$(__thpstat_command)" = "$argv"
end

# As the first word, or behind "help".
function __thpstat_wants_command
    __thpstat_command_is
    or test (commandline --tokenize --cut-at-cursor --current-process)[-1] = help
end

# Does the command take options of this group?
function __thpstat_takes --argument-names group
    switch (__thpstat_command)
        case host
            contains -- $group output source
        case maps
            contains -- $group processes order exact mappings output source
        case capture
            contains -- $group processes capture source
        case help
            false
        case '*'
            contains -- $group processes order exact output source
    end
end

function __thpstat_columns
    set --local program (commandline --tokenize --cut-at-cursor --current-process)[1]
    set --local command
    __thpstat_command_is host; and set command host
    __thpstat_command_is maps; and set command maps
    $program $command --list-columns --raw --noheadings 2>/dev/null | string replace --regex ' .*' ''
end

# For a list: what is before the last comma or sign is kept.
function __thpstat_list
    set --local value (commandline --current-token | string replace --regex '^(--[a-z]+=|-[a-z](?=.))' '')
    set --local kept "$(string match --regex '^.*[,+]' -- $value)"
    for item in $argv
        echo $kept$item
    end
end

function __thpstat_sort
    for column in (__thpstat_columns)
        echo $column
        echo -- -$column
    end
end

# Of the tree that the command line names, else of this host.
function __thpstat_pids
    set --local proc /proc
    set --local before
    for word in (commandline --tokenize --cut-at-cursor --current-process)
        switch $before
            case --sysroot
                set proc $word/proc
            case --proc
                set proc $word
        end
        set before $word
    end
    for directory in $proc/*/
        set --local pid (path basename $directory 2>/dev/null; or basename $directory)
        string match --quiet --regex '^[0-9]+$' -- $pid; and echo $pid
    end
end

function __thpstat_names
    cat /proc/*/comm 2>/dev/null | sort --unique
end

function __thpstat_cgroups
    set --local root /sys/fs/cgroup
    test -e $root/cgroup.controllers; or set root $root/memory # v1
    set --local token (commandline --current-token | string replace --regex '^--cgroup=' '' | string trim --left --chars /)
    for directory in $root/$token*/
        string replace -- $root '' $directory
    end
end

complete --command thpstat --no-files

complete -c thpstat -n __thpstat_wants_command -a pid -d 'a close look at some processes'
complete -c thpstat -n __thpstat_wants_command -a ps -d 'every process that has memory, or those selected'
complete -c thpstat -n __thpstat_wants_command -a maps -d 'each mapping of some processes'
complete -c thpstat -n __thpstat_wants_command -a host -d 'settings, pools, sizes and counters of the host'
complete -c thpstat -n __thpstat_wants_command -a capture -d 'save what is read, to be read elsewhere'
complete -c thpstat -n __thpstat_wants_command -a help -d 'help, or that of a command'
complete -c thpstat -n '__thpstat_takes processes' -a '(__thpstat_pids)' -d 'process id'
complete -c thpstat -n '__thpstat_command_is capture' -F

complete -c thpstat -n '__thpstat_takes processes' -s p -l pid -x -a '(__thpstat_list (__thpstat_pids))' -d 'these process ids'
complete -c thpstat -n '__thpstat_takes processes' -l name -x -a '(__thpstat_names)' -d 'processes of this command name'
complete -c thpstat -n '__thpstat_takes processes' -l user -x -a '(__fish_complete_users)' -d 'processes of this effective user'
complete -c thpstat -n '__thpstat_takes processes' -l full -x -d 'processes whose command line matches'
complete -c thpstat -n '__thpstat_takes processes' -l cgroup -x -a '(__thpstat_cgroups)' -d 'processes in this cgroup or below it'
complete -c thpstat -n '__thpstat_takes processes' -l strict -d 'status 64 also when a look at all is not complete'
complete -c thpstat -n '__thpstat_takes processes' -s q -l quiet -d 'do not say how many could not be read'
complete -c thpstat -n '__thpstat_takes order' -l sort -x -a '(__thpstat_sort)' -d 'sort by a column, with - largest first'

complete -c thpstat -n '__thpstat_takes exact' -l exact -d 'look at single pages where smaps leaves a doubt'

complete -c thpstat -n '__thpstat_takes mappings' -l min -x -d 'mappings of at least this size'
complete -c thpstat -n '__thpstat_takes mappings' -l only -x -a 'huge gap heap java-heap main-stack thread-stack text jit binary-data shared-memory memfd hugetlb anonymous file special' -d 'with huge pages, with room for them, or of a kind'
complete -c thpstat -n '__thpstat_takes mappings' -l by -x -a 'kind object none' -d 'sums over kinds, or what is behind the mappings'

complete -c thpstat -n '__thpstat_takes capture' -l anonymise -d 'replace names, paths, arguments, cgroups, devices'

complete -c thpstat -n '__thpstat_takes output' -s o -l output -x -a '(__thpstat_list (__thpstat_columns))' -d 'these columns; +LIST adds to the usual ones'
complete -c thpstat -n '__thpstat_takes output' -l output-all -d 'all columns'
complete -c thpstat -n '__thpstat_takes output' -s H -l list-columns -d 'say which columns there are'
complete -c thpstat -n '__thpstat_takes output' -s J -l json -d JSON
complete -c thpstat -n '__thpstat_takes output' -l json-lines -d 'one JSON object per line'
complete -c thpstat -n '__thpstat_takes output' -s r -l raw -d 'fields separated by one blank'
complete -c thpstat -n '__thpstat_takes output' -s P -l pairs -d 'NAME="value" pairs'
complete -c thpstat -n '__thpstat_takes output' -s n -l noheadings -d 'no line of headings'
complete -c thpstat -n '__thpstat_takes output' -s b -l bytes -d 'sizes in bytes'

complete -c thpstat -n '__thpstat_takes source' -l sysroot -r -F -d 'read a saved tree, or a tar.gz of one'
complete -c thpstat -n '__thpstat_takes source' -l proc -x -a '(__fish_complete_directories)' -d 'instead of /proc'
complete -c thpstat -n '__thpstat_takes source' -l sys -x -a '(__fish_complete_directories)' -d 'instead of /sys'
complete -c thpstat -n '__thpstat_takes source' -l cgroup-root -x -a '(__fish_complete_directories)' -d 'instead of /sys/fs/cgroup'

complete -c thpstat -l color -f -a 'auto always never' -d 'use colours'
complete -c thpstat -s v -l verbose -d 'say what could not be read as expected'
complete -c thpstat -s h -l help -d help
complete -c thpstat -s V -l version -d 'version of the library'
