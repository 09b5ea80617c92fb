/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_abort.h - why CP2K stopped
 *
 * It prints that in a box, beside a picture:
 *
 *  *  /   \                                                              *
 *  * [ABORT]                                                             *
 *  *  \___/           invalid value for enumeration:Quickstepp           *
 *  *    |                                                                *
 *  *  O/|                                                                *
 *  * /| |                                                                *
 *  * / \                          input/input_enumeration_types.F:215     *
 *  ***********************************************************************
 */
#ifndef FORMATS_CP2K_ABORT_H
#define FORMATS_CP2K_ABORT_H

struct lines;

/* Is the line at hand the one with "[ABORT]"? */
bool cp2k_abort_at (const struct lines *lines);

/* Read on from there to the end of the box, and append what it says, in one
 * line, with the place in CP2K's source at its end.
 */
int cp2k_abort_take (struct lines *lines, struct strbuf *message,
                     struct error *err);

#endif /* !FORMATS_CP2K_ABORT_H */
