/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.h - run the commands of a scheduler under the deadline of one
 * call, and what a failed one says
 */
#ifndef SCHEDULER_COMMAND_CLIENT_H
#define SCHEDULER_COMMAND_CLIENT_H

#include "adapter.h"
#include "base/process.h"

struct command_env;
struct command_scheduler;

/* --- what a failed command says (pure) --- */

enum complaint {
    COMPLAINT_NONE,
    COMPLAINT_UNCLEAR, /* anything may be: the scheduler did not answer, a
                        wrapper failed, words not seen before */
    COMPLAINT_REFUSED, /* the scheduler looked at the request and said no */
    COMPLAINT_FULL, /* it said no, for now: a limit, a queue that is closed */
    COMPLAINT_UNKNOWN_JOB,
    COMPLAINT_OVER,   /* the job has ended already */
    COMPLAINT_BROKEN, /* this host is not set up to reach a scheduler */
};

/* Words of a message, what they mean, and what of site.yaml to look at (NULL:
 * nothing).
 */
struct complaint_text {
    const char *words; /* NULL ends a list */
    enum complaint complaint;
    const char *advice;
};

/* The first of 'texts' whose words are in 'message', all that a failed command
 * wrote to stderr; NULL: none is, and the complaint is UNCLEAR.
 */
const struct complaint_text *complaint_find (const struct complaint_text *texts,
                                             const char *message);

/* Does every line of 'message', and there is one, tell of a complaint in
 * 'fine', bits 1 << COMPLAINT_...?
 */
bool complaint_only (const struct complaint_text *texts, const char *message,
                     unsigned fine);

/* The lines of 'message' on one line, without any of 'prefixes' (ends with
 * NULL) at their beginnings, into 'out' of 'size' bytes.
 */
void complaint_words (const char *message, const char *const *prefixes,
                      char *out, size_t size);

/* What to answer when a command failed and that has no meaning of its own. */
enum answer complaint_answer (enum complaint complaint);

/* --- running --- */

/* The commands of one call of the adapter: they share its deadline. */
struct client {
    const struct scheduler *scheduler;
    const struct command_scheduler *commands;
    double end_s;             /* mono */
    enum complaint complaint; /* of the command that was run last */
};

struct client client_begin (const struct scheduler *scheduler);

/* Each of the following runs a command to its end, in a process group of its
 * own.  OK when it exited with 0; else what its complaint means, with words for
 * a person in 'err'.
 */

/* A command that submits: with the environment for that, from the root
 * directory (a job begins where it was submitted), and reading 'stdin_path'
 * (NULL: nothing).  What it prints is appended to 'printed' (may be NULL).
 */
enum answer client_submit (struct client *client, const char *const *argv,
                           const char *stdin_path, struct strbuf *printed,
                           struct error *err);

/* One of whose output nothing is wanted: OK also when it fails for one of the
 * reasons in 'fine', bits 1 << COMPLAINT_...
 */
enum answer client_do (struct client *client, const char *const *argv,
                       unsigned fine, struct error *err);

/* Hand what it prints to 'read', also when all that it complains of
 * is among the reasons in 'fine'.  A question cannot be REFUSED: TRY_LATER, as
 * when 'read' returns -1.
 */
typedef int (*client_read) (const char *text, size_t len, void *arg,
                            struct error *err);
enum answer client_ask (struct client *client, const char *const *argv,
                        unsigned fine, client_read read, void *arg,
                        struct error *err);

/* A client_read that appends the text to a struct strbuf. */
int client_keep (const char *text, size_t len, void *sb, struct error *err);

/* Are all programs on PATH?  Says so in 'findings' under "commands", and
 * in 'err' when they are not.
 */
struct findings;
bool client_find_programs (const struct client *client,
                           struct findings *findings, struct error *err);

/* Append to 'env' what of the environment 'from' is 'wanted'. */
void client_env (char *const *from, const struct command_env *wanted,
                 struct strvec *env);

/* Whose jobs these are; "": no user here.  Never free it. */
const char *client_user (void);

#endif /* !SCHEDULER_COMMAND_CLIENT_H */
