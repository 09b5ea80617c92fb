/* SPDX-License-Identifier: BSD-3-Clause */
/* test_job_script.c - what a real shell makes of the script */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "base/process.h"

static void test_quoting (void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "plain-1.2/a_b", "plain-1.2/a_b" },
        { "", "''" },
        { "a b", "'a b'" },
        { "$HOME", "'$HOME'" },
        { "it's", "'it'\\''s'" },
        { "a=b", "'a=b'" },
        { "~", "'~'" },
        { "a\nb", "'a\nb'" },
        { "*", "'*'" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;

        shell_quote (cases[i].in, &out);
        assert_string_equal (out.buf, cases[i].out);
        strbuf_release (&out);
    }
}

/* Every byte goes through sh unharmed. */
static void test_every_byte_through_sh (void **state)
{
    struct strbuf script = STRBUF_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    char all[256];

    (void)state;
    for (int i = 1; i < 256; i++)
        all[i - 1] = (char)i;
    all[255] = '\0';
    strbuf_add_str (&script, "printf %s ");
    shell_quote (all, &script);
    spec.argv = (const char *const[]){ "sh", "-c", script.buf, NULL };
    assert_int_equal (process_run (&spec, &result, NULL), 0);
    assert_int_equal (result.out.len, 255);
    assert_memory_equal (result.out.buf, all, 255);
    process_result_release (&result);
    strbuf_release (&script);
}

static void test_body (void **state)
{
    struct array_job job = { .agent = STRVEC_INIT };
    struct strbuf script = STRBUF_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    (void)state;
    job.env = (const char *const[]){ "SHOUT=it's $HOME = here", "A=", NULL };
    job.setup = (const char *const *const[]){
        (const char *const[]){ "printf", "%s|", "setup", NULL }, NULL
    };
    strvec_push (&job.agent, "sh");
    strvec_push (&job.agent, "-c");
    strvec_push (&job.agent, "printf '<%s>' \"$SHOUT$A\" \"$@\"");
    strvec_push (&job.agent, "/my campaign");
    job_script_body (&job, "${INDEX}", "${ID}", &script);
    assert_string_equal (script.buf,
                         "export SHOUT='it'\\''s $HOME = here'\n"
                         "export A=''\n"
                         "printf '%s|' setup || exit 1\n"
                         "exec sh -c 'printf '\\''<%s>'\\'' \"$SHOUT$A\" "
                         "\"$@\"' '/my campaign' "
                         "--element \"${INDEX}\" --job-id \"${ID}\"\n");
    spec.argv = (const char *const[]){ "sh", "-c", script.buf, NULL };
    spec.env =
        (char *[]){ "PATH=/usr/bin:/bin", "INDEX=7", "ID=4711[7].srv", NULL };
    assert_int_equal (process_run (&spec, &result, NULL), 0);
    assert_string_equal (result.out.buf,
                         "setup|<it's $HOME = here><--element><7><--job-id>"
                         "<4711[7].srv>");
    process_result_release (&result);
    strbuf_release (&script);
    strvec_release (&job.agent);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_quoting),
        cmocka_unit_test (test_every_byte_through_sh),
        cmocka_unit_test (test_body),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
