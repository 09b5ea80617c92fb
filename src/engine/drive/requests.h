/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.h - what people ask of a campaign: files in .fanfold/requests/
 *
 * A command leaves a file, then tries to become the
 * driver; whoever drives carries it out and journals it, then removes the file.
 * Wake messages (.fanfold/wake/) are the same without a request.
 */
#ifndef ENGINE_REQUESTS_H
#define ENGINE_REQUESTS_H

#include "arrays/array_job.h"

struct engine;

struct request {
    const char *kind;  /* pause, resume, cancel, retry, skip, redo, forget,
                          reset */
    const char *stage; /* that is meant (required for skip, forget), or NULL */
    int iteration;     /* for redo; -1: the current one */
    bool keep_data;    /* for reset */
};

/* Leave it for whoever drives.  'id' is filled in: that of the event that
 * carries out or refuses it.
 */
int request_leave (const char *dir, const struct request *request,
                   char id[TOKEN_LENGTH + 1], struct error *err);

/* Carry out and journal all there are, oldest first; one that cannot be is
 * journaled as refused.  Only the driver may call this.  Returns how many
 * there were, or -1.
 */
int requests_carry_out (struct engine *engine, struct error *err);

/* Is there any request or wake message? */
int requests_waiting (const char *dir);

int wake_message_leave (const char *dir, struct error *err);
void wake_messages_consume (const char *dir);

#endif /* !ENGINE_REQUESTS_H */
