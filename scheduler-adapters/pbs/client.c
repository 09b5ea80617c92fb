/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c - run PBS's commands */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strvec.h"
#include "pbs/client.h"
#include "pbs/trouble.h"

void pbs_command_env (char *const *from, struct strvec *env)
{
    static const char *const dropped[] = { "PBS_", "LC_ALL=", NULL };
    static const char *const kept[] = { "PBS_CONF_FILE=", "PBS_SERVER=",
                                        "PBS_DEFAULT=", "PBS_EXEC=", NULL };

    client_env_drop (from, dropped, kept, env);
    strvec_push (env, "LC_ALL=C");
}

void pbs_qsub_env (char *const *from, struct strvec *env)
{
    static const char *const handed_on[] = { "HOME=",
                                             "USER=",
                                             "LOGNAME=",
                                             "SHELL=",
                                             "LANG=",
                                             "TZ=",
                                             "PATH=",
                                             "LD_LIBRARY_PATH=",
                                             "PBS_SERVER=",
                                             "PBS_CONF_FILE=",
                                             "PBS_DEFAULT=",
                                             "PBS_EXEC=",
                                             NULL };
    struct strvec picked = STRVEC_INIT;

    client_env_pick (from, handed_on, &picked);
    for (size_t i = 0; i < picked.n; i++) {
        if (!strpbrk (picked.v[i], "\n\r\t"))
            strvec_push (env, picked.v[i]);
    }
    strvec_release (&picked);
}

const char *pbs_cluster (void)
{
    const char *server = getenv ("PBS_SERVER");

    return server ? server : getenv ("PBS_CONF_FILE");
}

struct client pbs_client (const struct scheduler *scheduler)
{
    static const struct client_words words = { "PBS", pbs_trouble,
                                               pbs_prefixes };

    return client_begin (scheduler, &words);
}

bool pbs_run (const struct client *client,
              const char *const *argv,
              struct process_result *result,
              enum trouble *trouble,
              struct error *err)
{
    const struct client_command command = { argv, pbs_command_env, NULL, NULL };

    return client_run (client, &command, result, trouble, err);
}

bool pbs_run_qsub (const struct client *client,
                   const char *const *argv,
                   const char *script_path,
                   struct process_result *result,
                   enum trouble *trouble,
                   struct error *err)
{
    const struct client_command command = { argv, pbs_qsub_env, script_path,
                                            "/" };

    return client_run (client, &command, result, trouble, err);
}
