/* SPDX-License-Identifier: BSD-3-Clause */
/* test_doctor.c - trials of directories and reports of nodes, and what they
 * mean
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "doctor/probe.h"
#include "report/findings_text.h"
#include "temp_dir.h"

#define TIB ((uint64_t)1 << 40)

static struct trial good_trial (void)
{
    struct trial trial = { .fs = { "nfs", REACH_SHARED, TIB, TIB, 1 << 20,
                                   1 << 20 } };

    return trial;
}

static struct probe_result good_result (void)
{
    struct probe_result result = { .profile = "cpu",
                                   .report = { .host = "n1",
                                               .version = PACKAGE_VERSION,
                                               .wall_s = 1001,
                                               .cores = 4,
                                               .lock_is_seen = true },
                                   .released_s = 1000,
                                   .seen_s = 1002,
                                   .cores = 1 };

    result.report.trial = good_trial ();
    return result;
}

/* Exactly one finding is worse than good, and says 'words'; NULL: none is. */
static void expect_one (const struct findings *findings,
                        enum grade grade,
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
        assert_string_equal (trial.failure[a], "");
    assert_true (trial.file_ahead_s < 5 && trial.file_ahead_s > -5);
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
        double ahead_s;
        enum grade grade;
        const char *words;
    } rows[] = {
        { ABILITY_COUNT, TIB, 1 << 20, 0, GRADE_GOOD, NULL },
        { ABILITY_EXCLUSIVE, TIB, 1 << 20, 0, GRADE_BAD,
          "exclusive creation: broken (nfs)" },
        { ABILITY_LINK, TIB, 1 << 20, 0, GRADE_BAD, "hard links" },
        { ABILITY_RENAME, TIB, 1 << 20, 0, GRADE_BAD, "renaming" },
        { ABILITY_SYNC, TIB, 1 << 20, 0, GRADE_BAD, "fsync" },
        { ABILITY_APPEND, TIB, 1 << 20, 0, GRADE_BAD, "appending" },
        { ABILITY_LOCK, TIB, 1 << 20, 0, GRADE_WARNING, "locks" },
        { ABILITY_COUNT, 1 << 30, 1 << 20, 0, GRADE_WARNING, "1.0 GiB" },
        { ABILITY_COUNT, 1 << 20, 1 << 20, 0, GRADE_BAD, "1.0 MiB" },
        { ABILITY_COUNT, TIB, 5000, 0, GRADE_WARNING, "5000 inodes" },
        { ABILITY_COUNT, TIB, 5, 0, GRADE_BAD, "5 inodes" },
        { ABILITY_COUNT, TIB, 1 << 20, 61, GRADE_WARNING, "61 s before" },
        { ABILITY_COUNT, TIB, 1 << 20, -61, GRADE_WARNING, "61 s behind" },
        { ABILITY_COUNT, TIB, 1 << 20, 4, GRADE_GOOD, NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct trial trial = good_trial ();
        struct findings findings = FINDINGS_INIT;

        trial.fs.free_bytes = rows[i].free_bytes;
        trial.fs.free_inodes = rows[i].free_inodes;
        trial.file_ahead_s = rows[i].ahead_s;
        if (rows[i].failed < ABILITY_COUNT)
            snprintf (trial.failure[rows[i].failed], sizeof (trial.failure[0]),
                      "broken");
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

static void test_probe_judge (void **state)
{
    static const struct {
        const char *version, *gpus;
        double wall_s;
        bool lock_is_seen;
        int cores, gpus_asked;
        enum grade grade;
        const char *words;
    } rows[] = {
        { PACKAGE_VERSION, "", 1001, true, 4, 0, GRADE_GOOD, NULL },
        { "0.0.1", "", 1001, true, 4, 0, GRADE_BAD, "fanfold is 0.0.1 on n1" },
        { PACKAGE_VERSION, "", 1100, true, 4, 0, GRADE_WARNING,
          "at least 98 s before" },
        { PACKAGE_VERSION, "", 900, true, 4, 0, GRADE_WARNING,
          "at least 100 s behind" },
        { PACKAGE_VERSION, "", 1006, true, 4, 0, GRADE_GOOD, NULL },
        { PACKAGE_VERSION, "", 1001, false, 4, 0, GRADE_WARNING,
          "is not seen on n1" },
        { PACKAGE_VERSION, "", 1001, true, 0, 0, GRADE_WARNING, "gave 0" },
        { PACKAGE_VERSION, "", 1001, true, 4, 1, GRADE_WARNING,
          "CUDA_VISIBLE_DEVICES" },
        { PACKAGE_VERSION, "3", 1001, true, 4, 1, GRADE_GOOD, NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct probe_result result = good_result ();
        struct findings findings = FINDINGS_INIT;

        snprintf (result.report.version, sizeof (result.report.version), "%s",
                  rows[i].version);
        snprintf (result.report.gpus, sizeof (result.report.gpus), "%s",
                  rows[i].gpus);
        result.report.wall_s = rows[i].wall_s;
        result.report.lock_is_seen = rows[i].lock_is_seen;
        result.report.cores = rows[i].cores;
        result.gpus = rows[i].gpus_asked;
        probe_judge (&result, &findings);
        expect_one (&findings, rows[i].grade, rows[i].words);
        findings_release (&findings);
    }
}

static void test_report_round_trip (void **state)
{
    struct probe_result result = good_result ();
    struct node_report back = { .cores = 4711 };
    struct json *v = node_report_to_json (&result.report);
    struct json *again;

    (void)state;
    assert_int_equal (node_report_from_json (v, &back, NULL), 0);
    again = node_report_to_json (&back);
    assert_true (json_equal (v, again));
    json_unref (again);
    json_set (json_get (v, "trial"), "failures", json_array ());
    back.cores = 4711;
    assert_int_equal (node_report_from_json (v, &back, NULL), -1);
    assert_int_equal (back.cores, 4711);
    json_unref (v);
}

/* What a node writes is what the other side reads; a lock that another process
 * holds is seen.
 */
static void test_report_here (void **state)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct node_report report;
    struct error err = ERROR_INIT;
    int fd;

    (void)state;
    assert_int_equal (node_report_read (".", &report, NULL), 1);
    assert_int_equal (node_report_make (".", &err), 0);
    assert_int_equal (node_report_read (".", &report, NULL), 0);
    assert_string_equal (report.version, PACKAGE_VERSION);
    assert_true (report.cores > 0);
    assert_false (report.lock_is_seen);
    fd = file_open (NODE_REPORT_LOCK, O_RDWR | O_CREAT, 0666);
    assert_int_equal (fcntl (fd, F_OFD_SETLK, &whole), 0);
    assert_int_equal (node_report_make (".", &err), 0);
    assert_int_equal (node_report_read (".", &report, NULL), 0);
    assert_true (report.lock_is_seen);
    close (fd);
    assert_int_equal (file_write_atomic (NODE_REPORT_FILE, "{", 1, NULL), 0);
    assert_int_equal (node_report_read (".", &report, &err), -1);
    assert_non_null (strstr (err.text, NODE_REPORT_FILE));
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
        cmocka_unit_test (test_probe_judge),
        cmocka_unit_test (test_report_round_trip),
        IN_DIR (test_report_here),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
