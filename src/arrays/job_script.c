/* SPDX-License-Identifier: BSD-3-Clause */
/* job_script.c - the job script's body; the only place that quotes for a shell
 */
#include "base/base.h"

#include "arrays/array_job.h"

void shell_quote (const char *s, struct strbuf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-./,:@%+";

    if (*s && s[strspn (s, plain)] == '\0') {
        strbuf_add_str (out, s);
        return;
    }
    strbuf_add_char (out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            strbuf_add_str (out, "'\\''");
        else
            strbuf_add_char (out, *s);
    }
    strbuf_add_char (out, '\'');
}

static void add_words (const char *const *argv, struct strbuf *script)
{
    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            strbuf_add_char (script, ' ');
        shell_quote (argv[i], script);
    }
}

void job_script_shell (const struct array_job *job, struct strbuf *script)
{
    strbuf_addf (script, "#!/bin/bash%s\n", job->login_shell ? " -l" : "");
}

void job_script_log (const struct array_job *job, const char *index,
                     struct strbuf *script)
{
    strbuf_add_str (script, "exec >>");
    shell_quote (job->run_dir, script);
    strbuf_addf (script, "/element-\"%s\".log 2>&1\n", index);
}

void job_script_body (const struct array_job *job, const char *index,
                      const char *job_id, struct strbuf *script)
{
    for (size_t i = 0; job->env && job->env[i]; i++) {
        size_t len = strcspn (job->env[i], "=") + 1;

        strbuf_addf (script, "export %.*s", (int)len, job->env[i]);
        shell_quote (job->env[i] + len, script);
        strbuf_add_char (script, '\n');
    }
    for (size_t i = 0; job->setup && job->setup[i]; i++) {
        add_words (job->setup[i], script);
        strbuf_add_str (script, " || exit 1\n");
    }
    strbuf_add_str (script, "exec ");
    add_words ((const char *const *)job->agent.v, script);
    strbuf_addf (script, " --element \"%s\" --job-id \"%s\"\n", index, job_id);
}
