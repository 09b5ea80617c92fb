/* SPDX-License-Identifier: BSD-3-Clause */
/* test_doctor.c - trials of directories and reports of nodes, and what they
 * mean
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "doctor/doctor.h"
#include "temp_dir.h"

#define TIB ((uint64_t)1 << 40)

static struct trial good_trial (void)
{
    struct trial trial = { .fs = { "nfs", REACH_SHARED, TIB, TIB, 1 << 20,
                                   1 << 20 } };

    return trial;
}

/* Exactly one finding is worse than good, and says 'words'; NULL: none is. */
static void expect_one (const struct findings *findings, enum grade grade,
                        const char *words)
{
    size_t worse = findings->n - findings_count (findings, GRADE_GOOD);

    assert_int_equal (worse, words ? 1 : 0);
    for (size_t i = 0; words && i < findings->n; i++) {
        const struct finding *f = &findings->v[i];

        if (f->grade == GRADE_GOOD)
            continue;
        assert_int_equal (f->grade, grade);
        if (!strstr (f->text, words))
            fail_msg ("'%s' is not in '%s'", words, f->text);
        assert_true (f->advice[0] != '\0');
    }
}

static struct temp_dir temp;

static int enter (void **state)
{
    (void)state;
    temp_dir_enter (&temp);
    return 0;
}

static int leave (void **state)
{
    (void)state;
    temp_dir_leave (&temp);
    return 0;
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

/* --- trials --- */

static void test_trial_here (void **state)
{
    struct trial trial;
    struct strvec names = STRVEC_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (trial_run (".", &trial, NULL), 0);
    for (int a = 0; a < ABILITY_COUNT; a++)
        assert_string_equal (trial.failure[a].text, "");
    assert_int_equal (file_list_dir (".", &names, NULL), 0);
    assert_int_equal (names.n, 0); /* nothing is left */
    assert_int_equal (trial_run ("nosuch", &trial, &err), -1);
    assert_non_null (strstr (err.text, "'nosuch'"));
    strvec_release (&names);
}

static void test_trial_judge (void **state)
{
    static const struct {
        enum ability failed; /* ABILITY_COUNT: none */
        uint64_t free_bytes, free_inodes;
        enum grade grade;
        const char *words;
    } rows[] = {
        { ABILITY_COUNT, TIB, 1 << 20, GRADE_GOOD, NULL },
        { ABILITY_EXCLUSIVE, TIB, 1 << 20, GRADE_BAD,
          "exclusive creation: broken (nfs)" },
        { ABILITY_LINK, TIB, 1 << 20, GRADE_BAD, "hard links" },
        { ABILITY_RENAME, TIB, 1 << 20, GRADE_BAD, "renaming" },
        { ABILITY_SYNC, TIB, 1 << 20, GRADE_BAD, "fsync" },
        { ABILITY_APPEND, TIB, 1 << 20, GRADE_BAD, "appending" },
        { ABILITY_LOCK, TIB, 1 << 20, GRADE_WARNING, "locks" },
        { ABILITY_COUNT, 1 << 30, 1 << 20, GRADE_WARNING, "1.0 GiB" },
        { ABILITY_COUNT, 1 << 20, 1 << 20, GRADE_BAD, "1.0 MiB" },
        { ABILITY_COUNT, TIB, 5000, GRADE_WARNING, "5000 inodes" },
        { ABILITY_COUNT, TIB, 5, GRADE_BAD, "5 inodes" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct trial trial = good_trial ();
        struct findings findings = FINDINGS_INIT;

        trial.fs.free_bytes = rows[i].free_bytes;
        trial.fs.free_inodes = rows[i].free_inodes;
        if (rows[i].failed < ABILITY_COUNT)
            error_set (&trial.failure[rows[i].failed], "broken");
        trial_judge (&trial, "data space", &findings);
        expect_one (&findings, rows[i].grade, rows[i].words);
        findings_release (&findings);
    }
}

/* A file system that does not count inodes has enough of them. */
static void test_uncounted_inodes (void **state)
{
    struct trial trial = good_trial ();
    struct findings findings = FINDINGS_INIT;

    (void)state;
    trial.fs.inodes = trial.fs.free_inodes = 0;
    trial_judge (&trial, "data space", &findings);
    expect_one (&findings, GRADE_GOOD, NULL);
    findings_release (&findings);
}

/* --- reports --- */

static void test_node_judge (void **state)
{
    static const struct {
        struct node_wish wish;
        struct node_sight sight;
        enum grade grade;
        const char *words;
    } rows[] = {
        { { .cores = 1 }, { .missing = "" }, GRADE_WARNING, NULL },
        { { .gpu = true },
          { .gpus = "3", .missing = "" },
          GRADE_WARNING,
          NULL },
        { { .gpu = true },
          { .missing = "" },
          GRADE_WARNING,
          "CUDA_VISIBLE_DEVICES" },
        { { .gpu = true },
          { .gpus = "", .missing = "" },
          GRADE_WARNING,
          "CUDA_VISIBLE_DEVICES" },
        { { .cores = 1 },
          { .missing = "qsub, qstat" },
          GRADE_WARNING,
          "not on PATH on n1: qsub, qstat" },
        { { .cores = 2 },
          { .cores = 1, .threads = 2, .missing = "" },
          GRADE_WARNING,
          "asked for 2 cores and was given 1 of n1, with 2 hardware threads" },
        { { .cores = 2 },
          { .cores = 2, .threads = 4, .missing = "" },
          GRADE_WARNING,
          NULL },
        /* fewer cores, and no more threads than these: a small machine */
        { { .cores = 2 },
          { .cores = 1, .threads = 1, .missing = "" },
          GRADE_WARNING,
          NULL },
        { { .mps = true },
          { .missing = "" },
          GRADE_BAD,
          "no nvidia-cuda-mps-control is on PATH on n1" },
        { { .mps = true },
          { .mps_control = true, .missing = "" },
          GRADE_BAD,
          NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct findings findings = FINDINGS_INIT;

        node_judge ("n1", &rows[i].wish, &rows[i].sight, &findings);
        expect_one (&findings, rows[i].grade, rows[i].words);
        findings_release (&findings);
    }
}

static void test_whole_cores_advice (void **state)
{
    static const struct node_sight sight = { .cores = 1,
                                             .threads = 2,
                                             .missing = "" };
    struct node_wish wish = { .cores = 2, .whole_cores = "--hint=x" };

    (void)state;
    for (int known = 1; known >= 0; known--) {
        struct findings findings = FINDINGS_INIT;

        if (!known)
            wish.whole_cores = NULL;
        node_judge ("n1", &wish, &sight, &findings);
        assert_int_equal (findings.n, 1);
        assert_non_null (
            strstr (findings.v[0].advice,
                    known ? "add `directives: [--hint=x]`" : "ask the site"));
        findings_release (&findings);
    }
}

static const struct finding *find (const struct findings *findings,
                                   const char *subject)
{
    for (size_t i = 0; i < findings->n; i++) {
        if (strcmp (findings->v[i].subject, subject) == 0)
            return &findings->v[i];
    }
    fail_msg ("nothing on '%s'", subject);
    return NULL;
}

/* What a node writes is what the other side reads. */
static void test_report_here (void **state)
{
    static const char *const programs[] = { "sh", "no-such-one", "nor-this",
                                            NULL };
    const struct node_wish wish = { .cores = 1, .programs = programs };
    struct findings findings = FINDINGS_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    findings_about (&findings, "%s", "p: ");
    assert_int_equal (node_report_read (".", 7, &findings, NULL), 1);
    assert_int_equal (node_report_write (".", &wish, false, &err), 0);
    assert_int_equal (node_report_read (".", 7, &findings, &err), 0);
    assert_int_equal (find (&findings, "p: node")->grade, GRADE_GOOD);
    assert_non_null (strstr (find (&findings, "p: node")->text, "7.0 s after"));
    assert_non_null (strstr (find (&findings, "p: commands")->text,
                             "no-such-one, nor-this"));
    find (&findings, "p: data space on the node");
    findings_release (&findings);
}

static void test_reports_of_others (void **state)
{
    static const char head[] = "{\"format\": 2, \"host\": \"n1\", ";
    static const struct {
        const char *rest;
        const char *error; /* NULL: it can be read */
    } rows[] = {
        { "\"version\": \"0.0.1\", \"findings\": []}", NULL },
        { "\"version\": \"0.0.1\"}", "findings" },
        { "\"version\": \"0.0.1\", \"findings\": [{\"subject\": \"a\", "
          "\"grade\": \"fine\", \"text\": \"\", \"advice\": \"\"}]}",
          "there is no grade 'fine'" },
        { "", NODE_REPORT_FILE },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct findings findings = FINDINGS_INIT;
        struct error err = ERROR_INIT;
        char *text = xasprintf ("%s%s", head, rows[i].rest);
        int rc;

        assert_int_equal (
            file_write_atomic (NODE_REPORT_FILE, text, strlen (text), NULL), 0);
        rc = node_report_read (".", 1, &findings, &err);
        assert_int_equal (rc, rows[i].error ? -1 : 0);
        if (rows[i].error)
            assert_non_null (strstr (err.text, rows[i].error));
        else
            expect_one (&findings, GRADE_BAD, "fanfold is 0.0.1 on n1");
        if (rows[i].error)
            assert_int_equal (findings.n, 0);
        findings_release (&findings);
        free (text);
    }
}

static void test_text (void **state)
{
    struct findings findings = FINDINGS_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    findings_add (&findings, GRADE_GOOD, "a", NULL, "well");
    findings_add (&findings, GRADE_BAD, "b", "mend it", "broken");
    findings_text (&findings, &text);
    assert_string_equal (text.buf, "good     a: well\n"
                                   "bad      b: broken\n"
                                   "         -> mend it\n"
                                   "1 good, 0 to look at, 1 bad\n");
    strbuf_release (&text);
    findings_release (&findings);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_trial_here),
        cmocka_unit_test (test_trial_judge),
        cmocka_unit_test (test_uncounted_inodes),
        cmocka_unit_test (test_node_judge),
        cmocka_unit_test (test_whole_cores_advice),
        IN_DIR (test_reports_of_others),
        IN_DIR (test_report_here),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
