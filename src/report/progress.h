/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - what `run` shows
 *
 * On a terminal one live line, redrawn in place, above which finished stages
 * and iterations scroll by.  In a file (or a pipe) just those lines.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

struct engine;
struct observations;
struct profile;
struct progress;
struct state;

/* Of what is driven by 'engine', which must outlive it; on 'to', which ends in
 * descriptor 'fd'.
 */
struct progress *progress_create (const struct engine *engine, FILE *to,
                                  int fd);

/* Is there a line to redraw?  (Otherwise looking for it can be saved.) */
bool progress_is_live (const struct progress *progress);

/* A line for what just happened, if it is worth one (an engine's on_event). */
void progress_event (const struct json *event, void *progress);

/* A line for each scheduler that cannot be used for now; once for what it says.
 */
void progress_outages (struct progress *progress, const struct state *state);

/* A call of the scheduler of 'profile' lasts (an engine's on_wait, about once a
 * second): a line when it lasts longer than any before.
 */
void progress_wait (const struct profile *profile, void *progress);

/* A line for what the driver cannot read ("": nothing); once for each text. */
void progress_note_error (struct progress *progress, const char *text);

/* Redraw the live line. */
void progress_draw (struct progress *progress, const struct engine *engine,
                    const struct observations *observations);

/* Erase the live line; with a state, say how the campaign stands; free. */
void progress_destroy (struct progress *progress, const struct state *state);

#endif /* !REPORT_PROGRESS_H */
