/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_submit.c - a job that waits for one which PBS forgets: PBS, that is
 * the emulator tests/fakes/pbs, drops it without a word
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "arrays/array_job.h"
#include "base/file.h"
#include "base/process.h"
#include "adapter.h"
#include "temp_dir.h"

static struct temp_dir dir;
static struct scheduler scheduler = { .deadline_s = 60 };

static void fake (const char *action, const char *a, const char *b)
{
    const char *source = getenv ("abs_top_srcdir");
    char *program = xasprintf ("%s/tests/fakes/pbs", source ? source : ".");
    const char *const argv[] = { program, action, dir.path, a, b, "1", NULL };
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct process_result result = PROCESS_RESULT_INIT;

    spec.argv = argv;
    assert_int_equal (process_run (&spec, &result, NULL), 0);
    if (!process_succeeded (&result))
        fail_msg ("%s", result.err.buf);
    process_result_release (&result);
    free (program);
}

static int begin (void **state)
{
    char *path;

    (void)state;
    temp_dir_enter (&dir);
    scheduler.adapter = scheduler_adapter_find ("pbs");
    path = xasprintf ("%s/bin:%s", dir.path, getenv ("PATH"));
    setenv ("PATH", path, 1);
    unsetenv ("PBS_SERVER");
    fake ("up", NULL, NULL);
    free (path);
    return 0;
}

static int end (void **state)
{
    (void)state;
    fake ("down", NULL, NULL);
    temp_dir_leave (&dir);
    return 0;
}

/* Submit a held job after 'after'; caller frees its id. */
static char *submit (const char *token, const char *after)
{
    struct array_job job = { .elements = 2,
                             .cores = 1,
                             .after = after,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT,
                             .run_dir = dir.path };
    struct strbuf id = STRBUF_INIT;
    char *path = path_join (dir.path, "script");

    strcpy (job.token, token);
    strvec_push (&job.agent, "true");
    assert_int_equal (scheduler_write_script (&scheduler, &job, path, NULL), 0);
    assert_int_equal (
        scheduler.adapter->submit (&scheduler, &job, path, &id, NULL),
        ANSWER_OK);
    strvec_release (&job.agent);
    free (path);
    return strbuf_detach (&id);
}

static void expect_found (const char *token, const char *id)
{
    struct strvec ids = STRVEC_INIT;

    assert_int_equal (scheduler.adapter->find (&scheduler, token, &ids, NULL),
                      ANSWER_OK);
    assert_int_equal (ids.n, id ? 1 : 0);
    if (id)
        assert_string_equal (ids.v[0], id);
    strvec_release (&ids);
}

static void test_forgotten_in_the_meantime (void **state)
{
    static const char *const histories[] = { "job_history_enable=False",
                                             "job_history_enable=True" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        char *first, *second;
        struct job_key key;

        fake ("set", histories[i], NULL);
        first = submit ("first", NULL);
        fake ("fault", "qsub", "forgets");
        second = submit ("second", first);
        key = (struct job_key){ second, "second" };
        expect_found ("first", NULL);
        expect_found ("second", second);
        assert_int_equal (
            scheduler.adapter->cancel (&scheduler, &key, -1, NULL), ANSWER_OK);
        free (first);
        free (second);
    }
}

static void test_not_forgotten (void **state)
{
    char *first = submit ("first", NULL);
    char *second = submit ("second", first);

    (void)state;
    expect_found ("first", first);
    expect_found ("second", second);
    free (first);
    free (second);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_forgotten_in_the_meantime),
        cmocka_unit_test (test_not_forgotten),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, begin, end);
}
