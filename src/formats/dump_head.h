/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_head.h - what stands before the rows of a dump's frame, but for the step
 *
 * It is mostly the same bytes as in the frame before, and then need not be read
 * again.
 */
#ifndef FORMATS_DUMP_HEAD_H
#define FORMATS_DUMP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "formats/lammps_dump.h"

struct dump_head {
    struct strbuf before; /* the step */
    struct strbuf after;  /* empty: no head is known */
    struct dump_frame frame;
};

#define DUMP_HEAD_INIT                                                         \
    {                                                                          \
        .before = STRBUF_INIT, .after = STRBUF_INIT, .frame = DUMP_FRAME_INIT  \
    }
void dump_head_release (struct dump_head *head);

/* [at, at + len) is a head, 'frame' what was read from it, and the step stands
 * at [step, step + step_bytes).
 */
void dump_head_learn (struct dump_head *head,
                      const char *at,
                      size_t len,
                      const char *step,
                      size_t step_bytes,
                      const struct dump_frame *frame);

/* Where the step would stand when [at, stop) starts with what is before it in
 * the known head; NULL when it does not.
 */
const char *dump_head_step (const struct dump_head *head,
                            const char *at,
                            const char *stop);

/* Where the rows start when what is behind the step's end, at 'at', is the rest
 * of the known head: 'frame' then gets all but its step and offset.  NULL when
 * it is not.
 */
const char *dump_head_end (const struct dump_head *head,
                           const char *at,
                           const char *stop,
                           struct dump_frame *frame);

#endif /* !FORMATS_DUMP_HEAD_H */
