/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_view.c - how elements stand, from recorded replies and by the letter
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "job_view.h"
#include "pbs/pbs.h"

enum { ELEMENTS = 7 };

static struct element_status elements[ELEMENTS];
static char note[JOB_NOTE_SIZE];

/* What is known of a job of 'n' elements. */
static int look (const char *text, size_t len, struct job_key key, int n,
                 bool history)
{
    struct job_status job = { .key = key,
                              .n_elements = n,
                              .elements = elements };
    struct job_view view;
    int rc;

    memset (elements, 0xff, sizeof (elements));
    job_view_init (&view, &job, 1, pbs_is_id);
    rc = pbs_tell_jobs (text, len, &view, NULL);
    job_view_infer (&view, 0, history ? 1e9 : 0);
    if (rc == 0)
        job_view_result (&view, &job);
    job_view_release (&view);
    memcpy (note, job.note, sizeof (note));
    return rc;
}

static void look_fixture (const char *name, const char *id, const char *token,
                          int n, bool history)
{
    struct strbuf text = STRBUF_INIT;

    fixture_read (name, &text);
    assert_int_equal (
        look (text.buf, text.len, (struct job_key){ id, token }, n, history),
        0);
    strbuf_release (&text);
}

static void expect_element (int e, enum element_state state,
                            enum outcome outcome)
{
    assert_int_equal (elements[e].state, state);
    assert_string_equal (outcome_name (elements[e].outcome),
                         outcome_name (outcome));
}

static void test_an_array_that_runs (void **state)
{
    static const enum outcome outcomes[] = { OUTCOME_OK, OUTCOME_FAILED,
                                             OUTCOME_FAILED,
                                             OUTCOME_CANCELLED };

    (void)state;
    look_fixture ("pbs/mixed.txt", "5144[].pbs01", "t23456789012345", ELEMENTS,
                  true);
    for (int e = 0; e < 4; e++)
        expect_element (e, ELEMENT_ENDED, outcomes[e]);
    expect_element (4, ELEMENT_RUNNING, OUTCOME_NONE);
    expect_element (5, ELEMENT_ENDED, OUTCOME_CANCELLED);
    expect_element (6, ELEMENT_RUNNING, OUTCOME_NONE);
    assert_string_equal (note, "");
}

/* qdel of the whole array: what had ended has lost its exit status. */
static void test_a_deleted_array (void **state)
{
    (void)state;
    look_fixture ("pbs/deleted.txt", "5144[].pbs01", "t23456789012345",
                  ELEMENTS, true);
    for (int e = 0; e < ELEMENTS; e++)
        expect_element (e, ELEMENT_ENDED, OUTCOME_CANCELLED);
}

static void test_out_of_time (void **state)
{
    (void)state;
    look_fixture ("pbs/walltime.txt", "5168[].pbs01", "w23456789012345", 1,
                  true);
    expect_element (0, ELEMENT_ENDED, OUTCOME_TIMEOUT);
}

static void test_what_waits (void **state)
{
    (void)state;
    look_fixture ("pbs/waiting.txt", "5164[].pbs01", "h23456789012345", 2,
                  true);
    expect_element (0, ELEMENT_HELD, OUTCOME_NONE);
    expect_element (1, ELEMENT_HELD, OUTCOME_NONE);
    assert_non_null (strstr (note, "qrls"));
    look_fixture ("pbs/waiting.txt", "5165[].pbs01", "d23456789012345", 2,
                  true);
    expect_element (0, ELEMENT_QUEUED, OUTCOME_NONE);
    assert_string_equal (note, "");
    look_fixture ("pbs/waiting.txt", "5166[].pbs01", "a23456789012345", 1,
                  true);
    expect_element (0, ELEMENT_QUEUED, OUTCOME_NONE);
    look_fixture ("pbs/waiting.txt", "5167[].pbs01", "z23456789012345", 2,
                  true);
    expect_element (1, ELEMENT_QUEUED, OUTCOME_NONE);
    assert_non_null (strstr (note, "Can Never Run"));
    assert_non_null (strstr (note, "`node`"));
    look_fixture ("pbs/waiting.txt", "1[].pbs01", "a23456789012345", 2, true);
    expect_element (0, ELEMENT_UNKNOWN, OUTCOME_NONE);
    look_fixture ("pbs/waiting.txt", "a23456789012345", "a23456789012345", 2,
                  true);
    expect_element (0, ELEMENT_UNKNOWN, OUTCOME_NONE);
}

/* --- by the letter --- */

static const struct job_key key = { "1[].s", "t" };

#define ARRAY(state)                                                           \
    "Job Id: 1[].s\n    Job_Name = t\n    job_state = " state "\n\n"
#define PART(index, lines)                                                     \
    "Job Id: 1[" index "].s\n    Job_Name = t\n" lines "\n"
#define OWN "    array_index = 0\n"

static const struct {
    const char *lines;
    bool history;
    enum element_state state;
    enum outcome outcome;
} letters[] = {
    { "    job_state = Q\n", true, ELEMENT_QUEUED, OUTCOME_NONE },
    /* Comes again after its node was lost. */
    { "    job_state = Q\n    Exit_status = -20\n" OWN, true, ELEMENT_QUEUED,
      OUTCOME_NONE },
    { "    job_state = W\n", true, ELEMENT_QUEUED, OUTCOME_NONE },
    { "    job_state = T\n", true, ELEMENT_QUEUED, OUTCOME_NONE },
    { "    job_state = H\n", true, ELEMENT_HELD, OUTCOME_NONE },
    { "    job_state = R\n" OWN, true, ELEMENT_RUNNING, OUTCOME_NONE },
    { "    job_state = E\n" OWN, true, ELEMENT_RUNNING, OUTCOME_NONE },
    { "    job_state = S\n" OWN, true, ELEMENT_RUNNING, OUTCOME_NONE },
    { "    job_state = U\n" OWN, true, ELEMENT_RUNNING, OUTCOME_NONE },
    { "    job_state = M\n" OWN, true, ELEMENT_UNCLEAR, OUTCOME_NONE },
    { "    job_state = ?\n" OWN, true, ELEMENT_UNCLEAR, OUTCOME_NONE },
    { "    job_state = RR\n" OWN, true, ELEMENT_UNCLEAR, OUTCOME_NONE },
    { OWN, true, ELEMENT_UNCLEAR, OUTCOME_NONE },
    { "    job_state = X\n    Exit_status = 0\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_OK },
    { "    job_state = F\n    Exit_status = 265\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_FAILED },
    { "    job_state = F\n    Exit_status = -28\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_TIMEOUT },
    { "    job_state = F\n    Exit_status = -29\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_TIMEOUT },
    { "    job_state = F\n    Exit_status = -27\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_OUT_OF_MEMORY },
    { "    job_state = F\n    Exit_status = -20\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_NODE_FAILURE },
    { "    job_state = F\n    Exit_status = -10\n" OWN, true, ELEMENT_ENDED,
      OUTCOME_FAILED },
    /* Deleted, and the shell went on to exit 0. */
    { "    job_state = F\n    Exit_status = 0\n    substate = 91\n" OWN, true,
      ELEMENT_ENDED, OUTCOME_CANCELLED },
    { "    job_state = X\n" OWN, true, ELEMENT_UNKNOWN, OUTCOME_NONE },
    /* The array's record, not its own. */
    { "    job_state = X\n    Exit_status = 0\n", true, ELEMENT_ENDED,
      OUTCOME_CANCELLED },
    { "    job_state = X\n    Exit_status = 0\n", false, ELEMENT_UNKNOWN,
      OUTCOME_NONE },
    /* TORQUE's. */
    { "    job_state = C\n    exit_status = 0\n    job_array_id = 0\n", false,
      ELEMENT_ENDED, OUTCOME_OK },
    { "    job_state = C\n    exit_status = -11\n    job_array_id = 0\n", false,
      ELEMENT_ENDED, OUTCOME_TIMEOUT },
    { "    job_state = C\n    exit_status = -10\n    job_array_id = 0\n", false,
      ELEMENT_ENDED, OUTCOME_OUT_OF_MEMORY },
    { "    job_state = C\n    exit_status = 271\n    job_array_id = 0\n", false,
      ELEMENT_ENDED, OUTCOME_CANCELLED },
};

static void test_letters (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (letters); i++) {
        char *text = xasprintf (ARRAY ("B") PART ("0", "%s"), letters[i].lines);

        assert_int_equal (
            look (text, strlen (text), key, 1, letters[i].history), 0);
        expect_element (0, letters[i].state, letters[i].outcome);
        assert_int_equal (note[0] != '\0',
                          letters[i].state == ELEMENT_UNCLEAR
                              || letters[i].state == ELEMENT_HELD);
        free (text);
    }
}

static void test_arrays_without_parts (void **state)
{
    static const struct {
        const char *text;
        enum element_state state;
    } cases[] = {
        { ARRAY ("H"), ELEMENT_HELD },
        { ARRAY ("Q"), ELEMENT_QUEUED },
        { ARRAY ("B"), ELEMENT_UNKNOWN },
        { ARRAY ("F"), ELEMENT_UNKNOWN },
        { ARRAY ("Q") PART ("7", "    job_state = R\n" OWN), ELEMENT_QUEUED },
        { ARRAY ("H\n    depend = afterany:2.s\n    Hold_Types = s"),
          ELEMENT_QUEUED },
        { ARRAY ("H\n    depend = afterany:2.s\n    Hold_Types = us"),
          ELEMENT_HELD },
        { ARRAY ("H\n    depend = beforeany:2.s\n    Hold_Types = s"),
          ELEMENT_HELD },
        { "", ELEMENT_UNKNOWN },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        assert_int_equal (
            look (cases[i].text, strlen (cases[i].text), key, 1, true), 0);
        expect_element (0, cases[i].state, OUTCOME_NONE);
    }
}

/* The server began anew; only what has our name is told of our job. */
static void test_ids_given_out_again (void **state)
{
    static const struct {
        const char *name; /* a line, or none */
        enum element_state state;
    } cases[] = {
        { "    Job_Name = t\n", ELEMENT_RUNNING },
        { "    Job_Name = t-0\n", ELEMENT_RUNNING }, /* TORQUE's sub-job */
        { "    Job_Name = other\n", ELEMENT_UNKNOWN },
        { "    Job_Name = tt\n", ELEMENT_UNKNOWN },
        { "", ELEMENT_UNKNOWN },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *text =
            xasprintf ("Job Id: 1[].s\n%s    job_state = B\n\n"
                       "Job Id: 1[0].s\n%s    job_state = R\n" OWN "\n",
                       cases[i].name, cases[i].name);

        assert_int_equal (look (text, strlen (text), key, 1, true), 0);
        expect_element (0, cases[i].state, OUTCOME_NONE);
        free (text);
    }
}

static void test_what_is_no_job (void **state)
{
    static const char text[] = "Job Id: workq\n    job_state = Q\n\n";

    (void)state;
    assert_int_equal (look (text, strlen (text), key, 1, true), -1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_an_array_that_runs),
        cmocka_unit_test (test_a_deleted_array),
        cmocka_unit_test (test_out_of_time),
        cmocka_unit_test (test_what_waits),
        cmocka_unit_test (test_letters),
        cmocka_unit_test (test_arrays_without_parts),
        cmocka_unit_test (test_ids_given_out_again),
        cmocka_unit_test (test_what_is_no_job),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
