/* SPDX-License-Identifier: BSD-3-Clause */
/* test_command_line - what is expected at the cursor, and a part of the manual
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "commands/command.h"
#include "commands/command_line.h"
#include "commands/manual_part.h"

enum { WORDS_MAX = 8 };

static void test_expected (void **unused)
{
    static const struct {
        const char *words; /* between '/'; the last is being written */
        enum expected_word expected;
        const char *kind, *dir;
    } rows[] = {
        { "", WORD_COMMAND, "", "." },
        { "sta", WORD_COMMAND, "", "." },
        { "-", WORD_GLOBAL_OPTION, "", "." },
        { "-C/", WORD_FILE, "", "." },
        { "-C/d/", WORD_COMMAND, "", "d" },
        { "--site/s/explain/", WORD_NAME, "STAGE", "." },
        { "--site=s/explain/", WORD_NAME, "STAGE", "." },
        { "-C/d/explain/train/", WORD_NAME, "TASK", "d" },
        { "explain/train/0/", WORD_FILE, "", "." },
        { "explain/train/--iteration/", WORD_NAME, "ITERATION", "." },
        { "explain/--iteration/3/", WORD_NAME, "STAGE", "." },
        { "explain/--iteration/3/train/", WORD_NAME, "TASK", "." },
        { "explain/--json/train/", WORD_NAME, "TASK", "." },
        { "explain/-", WORD_OPTION, "", "." },
        { "result/label/", WORD_NAME, "OUTPUT", "." },
        { "doctor/a/b/", WORD_NAME, "PROFILE", "." },
        { "store/", WORD_LITERAL, "list | verify | gc", "." },
        { "store/gc/", WORD_FILE, "", "." },
        { "new/--template/", WORD_NAME, "TEMPLATE", "." },
        { "call/", WORD_NAME, "FUNCTION", "." },
        { "pause/", WORD_FILE, "", "." },
        { "no-such-command/", WORD_FILE, "", "." },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        _cleanup_free_ char *text = xstrdup (rows[i].words);
        char *words[WORDS_MAX], *at = text;
        struct command_line line;
        int n = 0;

        while (n < WORDS_MAX && (words[n] = strsep (&at, "/")))
            n++;
        command_line_read (words, n, &line);
        if (line.expected != rows[i].expected)
            print_error ("%s\n", rows[i].words);
        assert_int_equal (line.expected, rows[i].expected);
        assert_string_equal (line.kind, rows[i].kind);
        assert_string_equal (line.dir, rows[i].dir);
    }
}

static void test_no_words (void **unused)
{
    struct command_line line;

    (void)unused;
    command_line_read (NULL, 0, &line);
    assert_int_equal (line.expected, WORD_FILE);
    assert_null (line.command);
}

static const char *const manual[] = { ".Sh SYNOPSIS\n",
                                      ".Bl -tag\n",
                                      ".It Cm run\n",
                                      "not this\n",
                                      ".El\n",
                                      ".Sh COMMANDS\n",
                                      ".Ss A\n",
                                      ".Bl -tag -width Ds\n",
                                      ".It Cm run\n",
                                      "one\n",
                                      ".Bl -tag\n",
                                      ".It Cm running\n",
                                      "two\n",
                                      ".El\n",
                                      ".It Cm running\n",
                                      "three\n",
                                      ".El\n",
                                      ".Ss B\n",
                                      ".Bl -tag -width Ds\n",
                                      ".It Cm plan Op Ar X\n",
                                      "four\n",
                                      ".It Cm run Fl -x\n",
                                      "five\n",
                                      ".El\n",
                                      ".Sh OUTPUT\n",
                                      ".It Cm run\n",
                                      "six\n",
                                      ".Dt ANOTHER 1\n",
                                      ".Sh COMMANDS\n",
                                      ".Bl -tag -width Ds\n",
                                      ".It Cm run Ar Y\n",
                                      "seven\n",
                                      ".El\n",
                                      NULL };

static void test_part (void **unused)
{
    _cleanup_ (strbuf_release) struct strbuf page = STRBUF_INIT;

    (void)unused;
    assert_true (manual_part_cut (manual, "run", &page));
    assert_string_equal (
        page.buf, ".Dd\n.Dt FANFOLD 1\n.Os\n.Sh MANUAL\n"
                  ".Bl -tag -width Ds\n"
                  ".It Cm run\none\n.Bl -tag\n.It Cm running\ntwo\n"
                  ".El\n.It Cm run Fl -x\nfive\n.It Cm run Ar Y\nseven\n.El\n");
    strbuf_truncate (&page, 0);
    assert_false (manual_part_cut (manual, "ru", &page));
    assert_int_equal (page.len, 0);
}

/* Each command that people call has its part. */
static void test_manual_has_all (void **unused)
{
    (void)unused;
    for (size_t i = 0; command_at (i); i++) {
        _cleanup_ (strbuf_release) struct strbuf page = STRBUF_INIT;

        if (command_at (i)->hidden)
            continue;
        if (!manual_part_cut (manual_lines, command_at (i)->name, &page))
            fail_msg ("the manual has nothing of %s", command_at (i)->name);
    }
}

static void test_overstrikes (void **unused)
{
    static const struct {
        const char *printed, *plain;
    } rows[] = { { "plain", "plain" }, { "b\bbo\bold", "bold" },
                 { "_\bx", "x" },      { "\xc3\xa9\b\xc3\xa9t", "\xc3\xa9t" },
                 { "\b\bx", "x" },     { "", "" } };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        strbuf_add_str (&text, rows[i].printed);
        overstrikes_remove (&text);
        assert_string_equal (text.buf ? text.buf : "", rows[i].plain);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_expected),
        cmocka_unit_test (test_no_words),
        cmocka_unit_test (test_part),
        cmocka_unit_test (test_manual_has_all),
        cmocka_unit_test (test_overstrikes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
