/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_head.c - what stands before the rows of a dump's frame */
#include "config.h"

#include <string.h>

#include "formats/dump_head.h"
#include "formats/lammps_dump_reader.h"

void dump_head_release (struct dump_head *head)
{
    strbuf_release (&head->before);
    strbuf_release (&head->after);
    dump_frame_release (&head->frame);
}

/* All that is neither the step, its place nor of the rows. */
static void copy_frame (struct dump_frame *to, const struct dump_frame *from)
{
    to->n_atoms = from->n_atoms;
    memcpy (to->origin, from->origin, sizeof (to->origin));
    memcpy (to->cell, from->cell, sizeof (to->cell));
    memcpy (to->periodic, from->periodic, sizeof (to->periodic));
    dump_frame_set_columns (to, from->heading.buf, from->heading.len);
}

void dump_head_learn (struct dump_head *head,
                      const char *at,
                      size_t len,
                      const char *step,
                      size_t step_bytes,
                      const struct dump_frame *frame)
{
    size_t before = (size_t)(step - at);

    strbuf_reset (&head->before);
    strbuf_reset (&head->after);
    strbuf_add (&head->before, at, before);
    strbuf_add (&head->after, step + step_bytes, len - before - step_bytes);
    copy_frame (&head->frame, frame);
}

/* What follows the text in [at, stop); NULL when it is not there. */
static const char *behind (const struct strbuf *text,
                           const char *at,
                           const char *stop)
{
    return (size_t)(stop - at) >= text->len
                   && memcmp (at, text->buf, text->len) == 0
               ? at + text->len
               : NULL;
}

const char *dump_head_step (const struct dump_head *head,
                            const char *at,
                            const char *stop)
{
    return head->after.len > 0 ? behind (&head->before, at, stop) : NULL;
}

const char *dump_head_end (const struct dump_head *head,
                           const char *at,
                           const char *stop,
                           struct dump_frame *frame)
{
    const char *end = behind (&head->after, at, stop);

    if (end)
        copy_frame (frame, &head->frame);
    return end;
}
