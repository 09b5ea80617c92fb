/* SPDX-License-Identifier: BSD-3-Clause */
/* test_earlier_result.c - a late agent leaves alone what its own generation has
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/earlier_result.h"
#include "base/error.h"
#include "in_temp_dir.h"

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
    assert_true (file_exists (PLACE "/job/000000.damaged-0-0"));
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
        IN_DIR (test_prepared_again),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
