/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.h - run the commands of a scheduler under the deadline of one
 * call */
#ifndef SCHEDULER_COMMAND_CLIENT_H
#define SCHEDULER_COMMAND_CLIENT_H

#include "base/process.h"
#include "command_trouble.h"

/* What is particular to the commands of one scheduler. */
struct client_words {
    const char *scheduler; /* for messages: "Slurm" */
    /* Words of stderr -> trouble, and what of site.yaml to look at, or NULL */
    enum trouble (*trouble) (const char *message, const char **advice);
    const char *const *prefixes; /* dropped from messages; ends with NULL */
};

/* The commands of one call of the adapter: they share its deadline. */
struct client {
    const struct scheduler *scheduler;
    const struct client_words *words;
    double end_s; /* mono */
};

struct client client_begin (const struct scheduler *scheduler,
                            const struct client_words *words);

/* Run to its end, in a process group of its own, with the environment that
 * 'make_env' appends to 'env' from ours.  True when it exited with 0; else
 * *trouble says why, with words for a person in 'err'.  'stdin_path' is what it
 * reads (NULL: nothing), 'cwd' where it runs (NULL: here).  'result' is made
 * anew; caller releases.
 */
struct client_command {
    const char *const *argv;
    void (*make_env) (char *const *from, struct strvec *env);
    const char *stdin_path;
    const char *cwd;
};
bool client_run (const struct client *client,
                 const struct client_command *command,
                 struct process_result *result,
                 enum trouble *trouble,
                 struct error *err);

/* Run a command of whose output nothing is wanted: OK also when it fails for
 * one of the reasons in 'fine', bits 1 << TROUBLE_...
 */
enum answer client_do (const struct client *client,
                       const struct client_command *command,
                       unsigned fine,
                       struct error *err);

/* Run one and hand what it prints to 'read', unless it fails for one of the
 * reasons in 'fine', which is OK.  A question cannot be REFUSED: TRY_LATER, as
 * when 'read' returns -1.
 */
typedef int (*client_read) (const char *text,
                            size_t len,
                            void *arg,
                            struct error *err);
enum answer client_ask (const struct client *client,
                        const struct client_command *command,
                        unsigned fine,
                        client_read read,
                        void *arg,
                        struct error *err);

/* Are all 'programs' (ends with NULL) on PATH?  Says so under 'subject', and in
 * 'err' when they are not.
 */
struct findings;
bool client_find_commands (const struct client *client,
                           const char *subject,
                           const char *const *programs,
                           struct findings *findings,
                           struct error *err);

/* Append to 'env' the entries of 'from' that begin with one of 'prefixes' (ends
 * with NULL): those that do, or all others but 'kept' (NULL: none).
 */
void client_env_pick (char *const *from,
                      const char *const *prefixes,
                      struct strvec *env);
void client_env_drop (char *const *from,
                      const char *const *prefixes,
                      const char *const *kept,
                      struct strvec *env);

#endif /* !SCHEDULER_COMMAND_CLIENT_H */
