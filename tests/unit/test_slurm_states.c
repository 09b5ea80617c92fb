/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_states.c - Slurm's words for states and complaints */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "slurm/slurm.h"

static void test_states (void **state)
{
    static const struct {
        const char *word, *reason;
        enum element_state state;
        enum outcome outcome;
    } cases[] = {
        { "PENDING", "Priority", ELEMENT_QUEUED, OUTCOME_NONE },
        { "PENDING", NULL, ELEMENT_QUEUED, OUTCOME_NONE },
        { "PENDING", "JobHeldUser", ELEMENT_HELD, OUTCOME_NONE },
        { "PENDING", "JobHeldAdmin", ELEMENT_HELD, OUTCOME_NONE },
        { "PENDING", "launch failed requeued held", ELEMENT_HELD,
          OUTCOME_NONE },
        { "REQUEUED", "", ELEMENT_QUEUED, OUTCOME_NONE },
        { "REQUEUE_FED", "", ELEMENT_QUEUED, OUTCOME_NONE },
        { "REQUEUE_HOLD", "", ELEMENT_HELD, OUTCOME_NONE },
        { "SPECIAL_EXIT", "", ELEMENT_HELD, OUTCOME_NONE },
        { "RESV_DEL_HOLD", "", ELEMENT_HELD, OUTCOME_NONE },
        { "CONFIGURING", "", ELEMENT_RUNNING, OUTCOME_NONE },
        { "RUNNING", "JobHeldUser", ELEMENT_RUNNING, OUTCOME_NONE },
        { "SUSPENDED", "", ELEMENT_RUNNING, OUTCOME_NONE },
        { "STOPPED", "", ELEMENT_RUNNING, OUTCOME_NONE },
        { "COMPLETING", "", ELEMENT_RUNNING, OUTCOME_NONE },
        { "STAGE_OUT", "", ELEMENT_RUNNING, OUTCOME_NONE },
        { "COMPLETED", "", ELEMENT_ENDED, OUTCOME_OK },
        { "FAILED", "JobLaunchFailure", ELEMENT_ENDED, OUTCOME_FAILED },
        { "TIMEOUT", "", ELEMENT_ENDED, OUTCOME_TIMEOUT },
        { "DEADLINE", "", ELEMENT_ENDED, OUTCOME_TIMEOUT },
        { "OUT_OF_MEMORY", "", ELEMENT_ENDED, OUTCOME_OUT_OF_MEMORY },
        { "NODE_FAIL", "", ELEMENT_ENDED, OUTCOME_NODE_FAILURE },
        { "BOOT_FAIL", "", ELEMENT_ENDED, OUTCOME_NODE_FAILURE },
        { "PREEMPTED", "", ELEMENT_ENDED, OUTCOME_PREEMPTED },
        { "CANCELLED", "", ELEMENT_ENDED, OUTCOME_CANCELLED },
        { "CANCELLED by 30065", NULL, ELEMENT_ENDED, OUTCOME_CANCELLED },
        { "CANCELLED+", NULL, ELEMENT_ENDED, OUTCOME_CANCELLED },
        { "OUT_OF_ME+", NULL, ELEMENT_ENDED, OUTCOME_OUT_OF_MEMORY },
        { "NODE_F+", NULL, ELEMENT_ENDED, OUTCOME_NODE_FAILURE },
        /* Another cluster has it. */
        { "REVOKED", "", ELEMENT_UNKNOWN, OUTCOME_NONE },
        /* May be two; was never heard of; is nothing. */
        { "REQUEUE+", NULL, ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "COMPLET+", NULL, ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "SLEEPING", "", ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "COMPLETININVALID", "", ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "running", "", ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "+", NULL, ELEMENT_UNCLEAR, OUTCOME_NONE },
        { "", NULL, ELEMENT_UNCLEAR, OUTCOME_NONE },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct element_status status =
            slurm_state (cases[i].word, cases[i].reason);

        if (status.state != cases[i].state
            || status.outcome != cases[i].outcome)
            fail_msg ("'%s' (%s): state %d, outcome %s", cases[i].word,
                      cases[i].reason ? cases[i].reason : "no reason",
                      (int)status.state, outcome_name (status.outcome));
    }
}

static void test_stuck (void **state)
{
    (void)state;
    assert_non_null (strstr (slurm_stuck ("PartitionTimeLimit"), "walltime"));
    assert_non_null (strstr (slurm_stuck ("JobHeldUser"), "scontrol release"));
    assert_non_null (slurm_stuck ("DependencyNeverSatisfied"));
    assert_non_null (slurm_stuck ("launch failed requeued held"));
    assert_null (slurm_stuck ("Priority"));
    assert_null (slurm_stuck ("Resources"));
    assert_null (slurm_stuck ("JobArrayTaskLimit"));
    assert_null (slurm_stuck ("Nodes required for job are DOWN, DRAINED or "
                              "reserved for jobs in higher priority "
                              "partitions"));
    assert_null (slurm_stuck (""));
}

#define FAILED "sbatch: error: Batch job submission failed: "

static const struct {
    const char *message;
    enum complaint complaint;
    const char *advice; /* part of it */
} complaints[] = {
    /* Lost, perhaps accepted. */
    { FAILED "Unable to contact slurm controller (connect failure)\n",
      COMPLAINT_UNCLEAR, NULL },
    { FAILED "Socket timed out on send/recv operation\n", COMPLAINT_UNCLEAR,
      NULL },
    { FAILED "Zero Bytes were transmitted or received\n", COMPLAINT_UNCLEAR,
      NULL },
    { FAILED "Connection timed out reading\n", COMPLAINT_UNCLEAR, NULL },
    { FAILED "Connection reset by peer\n", COMPLAINT_UNCLEAR, NULL },
    { FAILED "Rate limit exceeded, please retry later\n", COMPLAINT_UNCLEAR,
      NULL },
    { "sbatch: error: Munge encode failed: Failed to access \"/x\"\n" FAILED
      "Protocol authentication error\n",
      COMPLAINT_UNCLEAR, NULL },
    { "our-sbatch: policy check crashed\n", COMPLAINT_UNCLEAR, NULL },
    { "", COMPLAINT_UNCLEAR, NULL },
    /* No. */
    { FAILED "Invalid account or account/partition combination specified\n",
      COMPLAINT_REFUSED, "`account`" },
    { "sbatch: error: invalid partition specified: nosuch\n" FAILED
      "Invalid partition name specified\n",
      COMPLAINT_REFUSED, "`partition`" },
    { FAILED "Invalid qos specification\n", COMPLAINT_REFUSED, "`qos`" },
    { FAILED "Invalid generic resource (gres) specification\n",
      COMPLAINT_REFUSED, "`gres`" },
    { FAILED "Requested time limit is invalid (missing or exceeds some "
             "limit)\n",
      COMPLAINT_REFUSED, "walltime" },
    { FAILED "Requested node configuration is not available\n",
      COMPLAINT_REFUSED, "`node`" },
    { "sbatch: error: memory > 10 GB needs -p fat\n" FAILED
      "Unspecified error\n",
      COMPLAINT_REFUSED, "`directives`" },
    { "sbatch: unrecognized option '--nosuch'\n", COMPLAINT_REFUSED,
      "`directives`" },
    { "sbatch: error: Invalid --distribution specification\n",
      COMPLAINT_REFUSED, "`directives`" },
    /* Not now. */
    { "sbatch: error: AssocMaxSubmitJobLimit\n" FAILED
      "Job violates accounting/QOS policy (job submit limit, user's size "
      "and/or time limits)\n",
      COMPLAINT_FULL, "`limits: submit:`" },
    { "sbatch: error: QOSMaxSubmitJobPerUserLimit\n" FAILED
      "Job violates accounting/QOS policy (job submit limit, user's size "
      "and/or time limits)\n",
      COMPLAINT_FULL, "`limits: submit:`" },
    { FAILED "Job violates accounting/QOS policy (job submit limit, user's "
             "size and/or time limits)\n",
      COMPLAINT_REFUSED, "`qos`" },
    { "sbatch: error: Slurm temporarily unable to accept job, sleeping and "
      "retrying\n" FAILED "Resource temporarily unavailable\n",
      COMPLAINT_FULL, NULL },
    { FAILED "Required partition not available (inactive or drain)\n",
      COMPLAINT_FULL, "`partition`" },
    /* This host. */
    { "sbatch: error: fetch_config: DNS SRV lookup failed\n"
      "sbatch: fatal: Could not establish a configuration source\n",
      COMPLAINT_UNCLEAR, "SLURM_CONF" },
    /* Jobs that are over or never were. */
    { "slurm_load_jobs error: Invalid job id specified\n",
      COMPLAINT_UNKNOWN_JOB, NULL },
    { "Invalid job id specified for job 99\n"
      "slurm_suspend error: Invalid job id specified\n",
      COMPLAINT_UNKNOWN_JOB, NULL },
    { "1_0-1: Job has already finished\n1_2: No error\n", COMPLAINT_OVER,
      NULL },
    { "Job/step already completing or completed\n", COMPLAINT_OVER, NULL },
};

static void test_reasons (void **state)
{

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (complaints); i++) {
        const struct complaint_text *text =
            complaint_find (slurm_complaints, complaints[i].message);
        enum complaint complaint = text ? text->complaint : COMPLAINT_UNCLEAR;

        if (complaint != complaints[i].complaint)
            fail_msg ("'%s' is %d", complaints[i].message, (int)complaint);
        if (complaints[i].advice)
            assert_non_null (strstr (text->advice, complaints[i].advice));
    }
}

static void test_words (void **state)
{
    char words[80];

    (void)state;
    complaint_words (FAILED "Invalid qos specification\n",
                     slurm_commands.prefixes, words, sizeof (words));
    assert_string_equal (words, "Invalid qos specification");
    complaint_words ("sbatch: error: first\n\nsbatch: error: second",
                     slurm_commands.prefixes, words, sizeof (words));
    assert_string_equal (words, "first; second");
    complaint_words ("", slurm_commands.prefixes, words, sizeof (words));
    assert_string_equal (words, "");
    complaint_words ("0123456789\n0123456789\n", slurm_commands.prefixes, words,
                     12);
    assert_string_equal (words, "0123456789;");
}

static void test_answers (void **state)
{
    (void)state;
    assert_int_equal (complaint_answer (COMPLAINT_UNCLEAR), ANSWER_TRY_LATER);
    assert_int_equal (complaint_answer (COMPLAINT_FULL), ANSWER_TRY_LATER);
    assert_int_equal (complaint_answer (COMPLAINT_OVER), ANSWER_TRY_LATER);
    assert_int_equal (complaint_answer (COMPLAINT_REFUSED), ANSWER_REFUSED);
    assert_int_equal (complaint_answer (COMPLAINT_UNKNOWN_JOB), ANSWER_REFUSED);
    assert_int_equal (complaint_answer (COMPLAINT_BROKEN), ANSWER_BROKEN);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_states),  cmocka_unit_test (test_stuck),
        cmocka_unit_test (test_reasons), cmocka_unit_test (test_words),
        cmocka_unit_test (test_answers),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
