/* SPDX-License-Identifier: BSD-3-Clause */
/* fixture.h - files below tests/fixtures, for a test that reads them */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "base/file.h"

/* Absolute path of the fixture.  Caller frees. */
static inline char *fixture_path (const char *name)
{
    const char *top = getenv ("abs_top_srcdir");

    return xasprintf ("%s/tests/fixtures/%s", top ? top : ".", name);
}

/* Append what the fixture holds. */
static inline void fixture_read (const char *name, struct strbuf *text)
{
    struct error err = ERROR_INIT;
    char *path = fixture_path (name);

    if (file_read (path, 1 << 24, text, &err) < 0)
        fail_msg ("%s", err.text);
    free (path);
}

/* After a test, or before one: hwloc sees this machine again. */
static inline int forget_machine (void **state)
{
    (void)state;
    unsetenv ("HWLOC_SYNTHETIC");
    unsetenv ("HWLOC_XMLFILE");
    return 0;
}

#endif /* !TESTS_FIXTURE_H */
