# durable.awk - is on the disk what a record stands on?
#
# usage: awk -f durable.awk -v top=DIR -v exempt=PATTERN THERE CALLS
# THERE has the paths that there were before, CALLS is what `kill_at calls` printed.
# Whoever appends to the journal, or to the result log of an element, has brought to
# the disk what it made below DIR until then: contents by syncing the file, names by
# syncing their directory. And whoever appended to the journal syncs it before it does
# anything else. Prints "ROLE: PATH: WHAT" for what is not so, once each.
BEGIN { FS = "\t" }

function directory (path) {
    sub (/\/[^\/]*$/, "", path)
    return path
}

function is_below (path, of) {
    return path == of || index (path, of "/") == 1
}

function is_log (path) {
    return path ~ /\/results-[0-9]+\.[0-9]+$/
}

function name (path) {
    if (!(path in known))
        named[path] = $1
    known[path] = 1
}

function forget (path) {
    delete known[path]
    delete named[path]
    delete filled[path]
    if (path in aside) # it was moved to be removed
        delete left[aside[path]]
    delete aside[path]
}

# All below it goes along, and is whose who moved it; but a result log stays its
# writer's, who has synced what a record stands on.
function move (from, to,    path, went) {
    if (directory(from) != directory(to)) {
        left[from] = $1
        aside[to] = from
    }
    for (path in known)
        if (is_below(path, from))
            went[path] = to substr(path, length (from) + 1)
    for (path in went) {
        if (path in named)
            named[went[path]] = $1
        if (path in filled)
            filled[went[path]] = is_log(path) ? filled[path] : $1
        forget(path)
        known[went[path]] = 1
    }
    known[to] = 1
    named[to] = $1
}

function sync (path,    other) {
    delete filled[path]
    for (other in named)
        if (directory(other) == path)
            delete named[other]
    for (other in left)
        if (directory(other) == path)
            delete left[other]
}

# Nobody goes by it, or it is found to be missing and made anew.
function may_be_lost (path) {
    return path !~ ("^" top "/") || path ~ exempt
}

function say (path, what,    line) {
    line = $2 ": " path ": " what
    if (!(line in said))
        print line
    said[line] = 1
}

# The record itself has its name when it is written for the second time.
function check (path) {
    for (path in named)
        if (named[path] == $1 && (path != $4 || path in begun) && !may_be_lost(path))
            say(path, "its name is not on the disk")
    for (path in left)
        if (left[path] == $1 && !may_be_lost(path))
            say(path, "that it was moved away is not on the disk")
    for (path in filled)
        if (filled[path] == $1 && path != $4 && !may_be_lost(path))
            say(path, "what is in it is not on the disk")
    begun[$4] = 1
}

FNR == NR {
    known[$0] = 1
    next
}

$1 in unsynced && $4 != unsynced[$1] {
    say(unsynced[$1], "is not synced before " $3 " " $4)
    delete unsynced[$1]
}

$3 ~ /^(write|pwrite64|writev|copy_file_range)$/ {
    if ($4 ~ /\/\.fanfold\/journal\/[0-9]+$/) {
        check()
        unsynced[$1] = $4
    }
    if (is_log($4))
        check()
    filled[$4] = $1
}
$3 ~ /^(openat|open|creat|mkdir|mkdirat)$/ { name($4) }
$3 ~ /^(link|linkat|symlink)$/ { name($5) }
$3 ~ /^rename(at2?)?$/ { move($4, $5) }
$3 ~ /^(unlink|unlinkat|rmdir)$/ { forget($4) }
$3 ~ /^(fsync|fdatasync)$/ {
    sync($4)
    if ($1 in unsynced && unsynced[$1] == $4)
        delete unsynced[$1]
}
