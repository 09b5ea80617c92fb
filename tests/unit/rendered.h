/* SPDX-License-Identifier: BSD-3-Clause */
/* rendered.h - an array job, and what an adapter makes of it, for tests of
 * scripts; included behind cmocka.h
 */
#ifndef TESTS_RENDERED_H
#define TESTS_RENDERED_H

#include "adapter.h"
#include "arrays/array_job.h"

/* The least that can be asked for.  Caller releases. */
static inline struct array_job plain_job (void)
{
    struct array_job job = { .token = "t23456789012345",
                             .elements = 1,
                             .cores = 1,
                             .exclude = STRVEC_INIT,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT,
                             .run_dir = "/run/0" };

    strvec_push (&job.agent, "/bin/fanfold");
    return job;
}

static inline void job_release (struct array_job *job)
{
    strvec_release (&job->exclude);
    strvec_release (&job->directives);
    strvec_release (&job->agent);
}

/* As the adapter called 'name' does. */
static inline enum answer render_job (const char *name,
                                      const struct array_job *job,
                                      struct strbuf *script, struct error *err)
{
    const struct scheduler scheduler = { .adapter =
                                             scheduler_adapter_find (name) };

    return scheduler.adapter->render (&scheduler, job, script, err);
}

static inline void expect_rendered (const char *name,
                                    const struct array_job *job,
                                    const char *expected)
{
    struct strbuf script = STRBUF_INIT;

    assert_int_equal (render_job (name, job, &script, NULL), ANSWER_OK);
    assert_string_equal (script.buf, expected);
    strbuf_release (&script);
}

/* Nothing is written, and 'words' are said. */
static inline void expect_not_rendered (const char *name,
                                        const struct array_job *job,
                                        const char *words)
{
    struct strbuf script = STRBUF_INIT;
    struct error err = ERROR_INIT;

    strbuf_add_str (&script, "before");
    assert_int_equal (render_job (name, job, &script, &err), ANSWER_REFUSED);
    assert_string_equal (script.buf, "before");
    assert_non_null (strstr (err.text, words));
    strbuf_release (&script);
}

/* A directive of the profile: refused as 'words' say, or (NULL) passed on. */
static inline void expect_directive (const char *name, const char *directive,
                                     const char *words)
{
    struct array_job job = plain_job ();
    struct strbuf script = STRBUF_INIT;

    strvec_push (&job.directives, directive);
    if (words)
        expect_not_rendered (name, &job, words);
    else
        assert_int_equal (render_job (name, &job, &script, NULL), ANSWER_OK);
    strbuf_release (&script);
    job_release (&job);
}

#endif /* !TESTS_RENDERED_H */
