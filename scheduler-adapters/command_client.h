/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.h - run the commands of a scheduler under the deadline of one
 * call */
#ifndef SCHEDULER_COMMAND_CLIENT_H
#define SCHEDULER_COMMAND_CLIENT_H

#include "base/process.h"
#include "command_trouble.h"

struct command_env;
struct command_scheduler;

/* The commands of one call of the adapter: they share its deadline. */
struct client {
    const struct scheduler *scheduler;
    const struct command_scheduler *commands;
    double end_s; /* mono */
};

struct client client_begin (const struct scheduler *scheduler);

/* A command that asks, or one that submits: with the environment for that, from
 * the root directory (a job begins where it was submitted), and reading
 * 'stdin_path' (NULL: nothing).
 */
struct client_command {
    const char *const *argv;
    bool submits;
    const char *stdin_path;
};

/* Run to its end, in a process group of its own.  True when it exited with 0;
 * else *trouble says why, with words for a person in 'err'.  'result' is made
 * anew; caller releases.
 */
bool client_run (const struct client *client,
                 const struct client_command *command,
                 struct process_result *result,
                 enum trouble *trouble,
                 struct error *err);

/* Run a command of whose output nothing is wanted: OK also when it fails for
 * one of the reasons in 'fine', bits 1 << TROUBLE_...
 */
enum answer client_do (const struct client *client,
                       const char *const *argv,
                       unsigned fine,
                       struct error *err);

/* Run one and hand what it prints to 'read', also when all that it complains of
 * is among the reasons in 'fine'.  A question cannot be REFUSED: TRY_LATER, as
 * when 'read' returns -1.
 */
typedef int (*client_read) (const char *text,
                            size_t len,
                            void *arg,
                            struct error *err);
enum answer client_ask (const struct client *client,
                        const char *const *argv,
                        unsigned fine,
                        client_read read,
                        void *arg,
                        struct error *err);

/* A client_read that appends the text to a struct strbuf. */
int client_keep (const char *text, size_t len, void *sb, struct error *err);

/* Are all programs on PATH?  Says so in 'findings' under "NAME: commands", and
 * in 'err' when they are not.
 */
struct findings;
bool client_find_programs (const struct client *client,
                           struct findings *findings,
                           struct error *err);

/* Append to 'env' what of the environment 'from' is 'wanted'. */
void client_env (char *const *from,
                 const struct command_env *wanted,
                 struct strvec *env);

/* Whose jobs these are; "": nobody knows him here.  Never free it. */
const char *client_user (void);

#endif /* !SCHEDULER_COMMAND_CLIENT_H */
