/* SPDX-License-Identifier: BSD-3-Clause */
/* test_earlier_result.c - a late agent leaves alone what is good, of its own
 * generation and of others
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/earlier_result.h"
#include "in_temp_dir.h"

int __real_assignment_moved (const struct assignment *assignment,
                             struct error *err);
int __wrap_assignment_moved (const struct assignment *assignment,
                             struct error *err);

#define PLACE "train/linear/iter/000003"
#define REPLACED ".fanfold/replaced/000007"

static const char identity[] = "identity of ours";
static struct assignment assignment;
static struct claim claim;

/* A result without artifacts, and what it says of itself. */
static void put_result (const char *at, const char *made_with)
{
    char *file = xasprintf ("%s/job/000000/out/result.json", at);
    char *text = xasprintf (
        "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, \"task\": 0, "
        "\"identity\": \"%s\", \"params\": {}, \"artifacts\": {}}",
        made_with);

    temp_dir_put (dir.path, file, text);
    free (text);
    free (file);
}

/* What another agent does between this one's reading and renaming. */
static void (*meanwhile) (void);

int __wrap_assignment_moved (const struct assignment *a, struct error *err)
{
    void (*now) (void) = meanwhile;

    meanwhile = NULL;
    if (now)
        now ();
    return __real_assignment_moved (a, err);
}

static int begin (void **unused)
{
    static struct json *slices[1];

    enter (unused);
    put_result (PLACE, identity);
    assignment = (struct assignment)ASSIGNMENT_INIT;
    assignment.campaign_dir = dir.path;
    assignment.stage_dir = path_join (dir.path, PLACE);
    assignment.stage_fd = open (PLACE, O_RDONLY | O_DIRECTORY);
    assert_true (assignment.stage_fd >= 0);
    assignment.stage.place = (struct stage_place){ "train", "linear", 3, 7 };
    assignment.stage.identity = identity;
    assignment.slices = slices;
    assignment.job.visibility_s = 10;
    claim = (struct claim)CLAIM_INIT;
    return 0;
}

static int end (void **unused)
{
    file_close (assignment.stage_fd);
    free (assignment.stage_dir);
    return leave (unused);
}

static int look (struct error *err)
{
    bool way_synced = false;

    return earlier_result (&assignment, &claim, 0, 0, &way_synced, err);
}

static size_t count_aside (void)
{
    struct strvec names = STRVEC_INIT;
    size_t n = 0;

    assert_int_equal (file_list_dir (PLACE "/job", &names, NULL), 0);
    for (size_t i = 0; i < names.n; i++)
        n += strstr (names.v[i], ".damaged-") != NULL;
    strvec_release (&names);
    return n;
}

static void test_there (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (look (&err), 1);
}

static void test_another_definition (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    put_result (PLACE, "another");
    assert_int_equal (look (&err), 0);
    assert_false (file_exists (PLACE "/job/000000"));
    assert_int_equal (count_aside (), 1);
}

/* The other agent is as late: it read the same. */
static void set_aside_and_commit (void)
{
    struct error err = ERROR_INIT;

    assert_int_equal (look (&err), 0);
    put_result (PLACE, identity);
}

static void test_set_aside_by_another (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    put_result (PLACE, "another");
    meanwhile = set_aside_and_commit;
    assert_int_equal (look (&err), 1);
    assert_true (file_exists (PLACE "/job/000000/out/result.json"));
    assert_int_equal (count_aside (), 1);
}

static void set_aside (void)
{
    struct error err = ERROR_INIT;

    assert_int_equal (look (&err), 0);
}

static void test_only_set_aside_by_another (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    put_result (PLACE, "another");
    meanwhile = set_aside;
    assert_int_equal (look (&err), 0);
    assert_int_equal (count_aside (), 1);
}

/* A file is set aside, too, and nothing but a directory is empty. */
static void test_what_is_no_result (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assignment.job.visibility_s = 0;
    assert_int_equal (file_remove_tree (PLACE "/job/000000", NULL, NULL), 0);
    assert_int_equal (file_make_dirs (PLACE "/job/000000", NULL), 0);
    assert_int_equal (look (&err), 0);
    assert_int_equal (count_aside (), 0);
    temp_dir_put (dir.path, PLACE "/job/000000", "no directory");
    meanwhile = set_aside_and_commit;
    assert_int_equal (look (&err), -1); /* there was no time to read it again */
    assert_true (file_exists (PLACE "/job/000000/out/result.json"));
    assert_int_equal (look (&err), 1);
    assert_int_equal (count_aside (), 1);
}

/* Of a copy of the campaign, where numbers of inodes are others. */
static void test_name_is_taken (void **unused)
{
    struct error err = ERROR_INIT;
    struct stat st;
    char *name;

    (void)unused;
    put_result (PLACE, "another");
    assert_int_equal (stat (PLACE "/job/000000", &st), 0);
    name = xasprintf ("%s/job/000000.damaged-%ju", PLACE, (uintmax_t)st.st_ino);
    assert_int_equal (file_make_dirs (name, NULL), 0);
    assert_int_equal (look (&err), 0);
    assert_int_equal (count_aside (), 2);
    free (name);
}

/* What has the path by then says nothing of the generation that was opened. */
static void test_prepared_again (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (file_make_dirs (".fanfold/replaced", NULL), 0);
    assert_int_equal (rename (PLACE, REPLACED), 0);
    put_result (PLACE, "another");
    assert_int_equal (look (&err), -1);
    assert_non_null (strstr (err.text, "was moved away"));
    assert_true (file_exists (REPLACED "/job/000000/out/result.json"));
    assert_true (file_exists (PLACE "/job/000000/out/result.json"));
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, begin, end)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_there),
        IN_DIR (test_another_definition),
        IN_DIR (test_set_aside_by_another),
        IN_DIR (test_only_set_aside_by_another),
        IN_DIR (test_what_is_no_result),
        IN_DIR (test_name_is_taken),
        IN_DIR (test_prepared_again),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
