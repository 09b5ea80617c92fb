/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - what a file system may answer, and to which calls */
#include "base/base.h"

#include "calls.h"
#include "faults.h"

static bool is_one_of (const struct call *call, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp (call->name, *names) == 0)
            return true;
    }
    return false;
}

static bool moves_bytes (const struct call *call)
{
    static const char *const names[] = { "read", "pread64", "write", "pwrite64",
                                         NULL };

    return is_one_of (call, names);
}

static bool closes (const struct call *call)
{
    return strcmp (call->name, "close") == 0;
}

static bool any (const struct call *call)
{
    (void)call;
    return true;
}

static bool takes_space (const struct call *call)
{
    return call->takes_space;
}

static bool takes_space_or_closes (const struct call *call)
{
    return call->takes_space || closes (call);
}

static bool opens (const struct call *call)
{
    return call->opens;
}

static bool finds_by_name (const struct call *call)
{
    return call->has_path;
}

static bool changes_by_name (const struct call *call)
{
    return call->has_path && call->changes;
}

static bool may_be_interrupted (const struct call *call)
{
    static const char *const names[] = { "writev", "fsync", "fdatasync",
                                         "flock",  "close", NULL };

    return call->opens || moves_bytes (call) || is_one_of (call, names);
}

const struct fault faults[] = {
    { "EIO", EIO, any, true },
    { "ESTALE", ESTALE, any, true },
    { "ENOSPC", ENOSPC, takes_space, true },
    { "EDQUOT", EDQUOT, takes_space_or_closes, true },
    { "EROFS", EROFS, changes_by_name, true },
    { "EACCES", EACCES, finds_by_name, true },
    { "EMFILE", EMFILE, opens, true },
    { "EINTR", EINTR, may_be_interrupted, false },
    { "short", 0, moves_bytes, true },
};
const size_t n_faults = sizeof (faults) / sizeof (faults[0]);

const struct fault *fault_find (const char *name)
{
    for (size_t i = 0; i < n_faults; i++) {
        if (strcmp (faults[i].name, name) == 0)
            return &faults[i];
    }
    return NULL;
}

bool fault_may_come_after (const struct fault *fault, const struct call *call)
{
    return fault->number == EIO && call->has_path && call->changes
           && !call->opens;
}

bool fault_comes_after (const struct call *call)
{
    return closes (call);
}
