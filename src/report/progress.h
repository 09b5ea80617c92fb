/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - what `run` shows
 *
 * On a terminal the live screen (report/screen.h), or one live line, redrawn in
 * place, above which finished stages and iterations scroll by.  In a file (or a
 * pipe) just those lines, each with the time.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

struct engine;
struct lease_holder;
struct observations;
struct profile;
struct progress;
struct state;

/* Of what is driven by 'engine', which must outlive it; on 'to', which ends in
 * descriptor 'fd'.  With 'keys' (lent), which tells what a person can press, it
 * has the whole screen where it can, and takes what is printed on '*messages'
 * then (lent: &stderr); NULL: it may not.
 */
struct progress *progress_create (const struct engine *engine, FILE *to, int fd,
                                  const char *keys, FILE **messages);

/* Is there anything to redraw?  (Otherwise looking for it can be saved.) */
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

/* Wait for 's' seconds and look at the keys meanwhile (an engine's on_beat):
 * with `q` this process is sent SIGINT.
 */
void progress_beat (double s, void *progress);

/* Was it `q` that did so? */
bool progress_is_left (const struct progress *progress);

/* Redraw the screen, or the live line; with who drives, if that is known. */
void progress_draw (struct progress *progress,
                    const struct observations *observations,
                    const struct lease_holder *holder);

/* Give the terminal back; with a state, say how the campaign stands; free. */
void progress_destroy (struct progress *progress, const struct state *state);

#endif /* !REPORT_PROGRESS_H */
