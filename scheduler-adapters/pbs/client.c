/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c - run PBS's commands */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strvec.h"
#include "pbs/client.h"
#include "pbs/trouble.h"

/* Times are those of Greenwich, which knows no summer. */
static const char greenwich[] = "TZ=UTC0";

void pbs_command_env (char *const *from, struct strvec *env)
{
    static const char *const dropped[] = { "PBS_", "LC_ALL=", "TZ=", NULL };
    static const char *const kept[] = { "PBS_CONF_FILE=", "PBS_SERVER=",
                                        "PBS_DEFAULT=", "PBS_EXEC=", NULL };

    client_env_drop (from, dropped, kept, env);
    strvec_push (env, "LC_ALL=C");
    strvec_push (env, greenwich);
}

void pbs_qsub_env (char *const *from, struct strvec *env)
{
    static const char *const handed_on[] = {
        "HOME=",        "USER=",     "LOGNAME=",         "SHELL=",
        "LANG=",        "PATH=",     "PBS_SERVER=",      "PBS_CONF_FILE=",
        "PBS_DEFAULT=", "PBS_EXEC=", "LD_LIBRARY_PATH=", NULL
    };
    struct strvec picked = STRVEC_INIT;

    client_env_pick (from, handed_on, &picked);
    for (size_t i = 0; i < picked.n; i++) {
        if (!strpbrk (picked.v[i], "\n\r\t"))
            strvec_push (env, picked.v[i]);
    }
    strvec_push (env, greenwich);
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

struct client_command pbs_command (const char *const *argv)
{
    return (struct client_command){ argv, pbs_command_env, NULL, NULL };
}

struct client_command pbs_qsub (const char *const *argv, const char *script)
{
    return (struct client_command){ argv, pbs_qsub_env, script, "/" };
}
