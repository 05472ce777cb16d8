# SPDX-License-Identifier: MIT
# What fish would offer for each line of stdin, one answer per line: words separated by blanks.
# usage: fish_complete.fish FILE_OF_COMPLETION DIRECTORY_OF_PROGRAM

source $argv[1]
set PATH $argv[2] $PATH
while read --local line
    echo (complete --do-complete $line | string replace --regex '\t.*' '')
end
