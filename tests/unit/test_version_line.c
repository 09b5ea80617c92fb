/* SPDX-License-Identifier: BSD-3-Clause */
/* test_version_line.c - the line in which a code tells its version */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "agent/version_line.h"
#include "base/file.h"
#include "operators/table.h"
#include "signature/operator.h"

static void expect (const char *text, const char *begins, bool of_group,
                    const char *expected)
{
    struct strbuf line = STRBUF_INIT;
    bool found =
        version_line_find (text, strlen (text), begins, of_group, &line);

    assert_int_equal (found, expected != NULL);
    if (expected)
        assert_string_equal (line.buf, expected);
    strbuf_release (&line);
}

static void test_find (void **state)
{
    (void)state;
    expect ("=== LAMMPS (x) ===\nLAMMPS (4 Feb 2025)\nLAMMPS (late)\n",
            "LAMMPS (", false, "LAMMPS (4 Feb 2025)");
    expect ("no LAMMPS (4 Feb 2025)\n", "LAMMPS (", false, NULL);
    expect (" \t fit 1.2 \t\r\n", "fit ", false, "fit 1.2");
    expect ("fit 1.2", "fit ", false, "fit 1.2");
    expect ("fi", "fit ", false, NULL);
    expect ("", "fit ", false, NULL);
    expect ("fit \033[1m1\n", "fit", false, "fit \\u001b[1m1");
}

static void test_time (void **state)
{
    (void)state;
    expect ("[2026-11-21 01:51:54,313] fit 1\n", "fit", false, "fit 1");
    expect ("[open fit 1\n", "fit", false, NULL);
    expect ("[fit] 1\n", "[fit]", false, "[fit] 1");
    expect ("Program PWSCF v.6.7 starts on 21Nov2026\n", "Program", false,
            "Program PWSCF v.6.7");
}

static void test_group (void **state)
{
    (void)state;
    expect ("local/train: [now] fit 1\n", "fit", true, "fit 1");
    expect ("local/train: [now] fit 1\n", "fit", false, NULL);
    expect ("fit: 1\n", "fit:", true, "fit: 1");
}

static void test_long (void **state)
{
    char text[3 * VERSION_LINE_BYTES];
    struct strbuf line = STRBUF_INIT;

    (void)state;
    memset (text, 'x', sizeof (text));
    assert_true (version_line_find (text, sizeof (text), "xx", false, &line));
    assert_int_equal (line.len, VERSION_LINE_BYTES);
    strbuf_release (&line);
}

/* Of a log that begins with so many other bytes. */
static bool is_read_behind (size_t bytes)
{
    char *text = malloc (bytes + 8);
    struct strbuf line = STRBUF_INIT;
    FILE *file = tmpfile ();
    bool found;

    assert_non_null (text);
    assert_non_null (file);
    memset (text, '\n', bytes);
    memcpy (text + bytes, "fit 1.2\n", 8);
    assert_int_equal (fwrite (text, 1, bytes + 8, file), bytes + 8);
    assert_int_equal (fflush (file), 0);
    found = version_line_read (fileno (file), "fit", false, &line);
    if (found)
        assert_string_equal (line.buf, "fit 1.2");
    strbuf_release (&line);
    fclose (file);
    free (text);
    return found;
}

static void test_bounded (void **state)
{
    (void)state;
    assert_true (is_read_behind (0));
    assert_true (is_read_behind (VERSION_LOG_BYTES - 8));
    assert_false (is_read_behind (VERSION_LOG_BYTES - 5));
    assert_false (is_read_behind (VERSION_LOG_BYTES));
}

/* What codes printed is where their operators look for it. */
static void test_codes (void **state)
{
    static const struct {
        const char *op, *file, *line;
    } codes[] = {
        { "cp2k.label", "cp2k/h2o-2025.out",
          "CP2K| version string:                                       CP2K "
          "version 2025.2" },
        { "abacus.label", "abacus/nacl-3.out", "ABACUS v3.5.4" },
        { "vasp.label", "vasp/md.OUTCAR",
          "vasp.5.4.4 (build Jan 01 2024 00:00:00) complex" },
        { "deepmd.train", "deepmd/training/badkey.log",
          "DEEPMD INFO    DeePMD version: 3.1.3" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (codes); i++) {
        const struct operator_spec *op = NULL;
        struct strbuf line = STRBUF_INIT;
        char path[4096];
        int fd;

        for (const struct operator_spec *const *o = builtin_operators (); *o;
             o++)
            op = strcmp ((*o)->name, codes[i].op) == 0 ? *o : op;
        assert_non_null (op);
        snprintf (path, sizeof (path), "%s/tests/fixtures/%s",
                  getenv ("abs_top_srcdir"), codes[i].file);
        fd = file_open (path, O_RDONLY, 0);
        assert_true (fd >= 0);
        assert_true (version_line_read (fd, op->version_line, false, &line));
        assert_string_equal (line.buf, codes[i].line);
        close (fd);
        strbuf_release (&line);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_find),    cmocka_unit_test (test_time),
        cmocka_unit_test (test_group),   cmocka_unit_test (test_long),
        cmocka_unit_test (test_bounded), cmocka_unit_test (test_codes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
