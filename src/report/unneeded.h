/* SPDX-License-Identifier: BSD-3-Clause */
/* unneeded.h - outputs that lie there and that nothing needs any more */
#ifndef REPORT_UNNEEDED_H
#define REPORT_UNNEEDED_H

struct plan;
struct state;

/* How large the outputs of stage 'stage' (of the plan) of an iteration are that
 * nothing needs which may still run, whatever `keep:` says: what `keep:
 * until_used` would free.  0 also where outputs.json cannot be read.
 */
int64_t unneeded_bytes (const struct plan *plan, const struct state *state,
                        int stage, int iteration);

#endif /* !REPORT_UNNEEDED_H */
