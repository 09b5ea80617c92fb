/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_steps.h - where the frames of given steps stand in a LAMMPS dump */
#ifndef FORMATS_DUMP_STEPS_H
#define FORMATS_DUMP_STEPS_H

#include <stddef.h>
#include <stdint.h>

struct error;

/* Set offsets[i] to where the last frame of steps[i] starts (for
 * dump_reader_open_at), or to UINT64_MAX when there is none; steps[0..n-1]
 * rise.  Only headings are looked at: a frame that was cut is found, too.  -1
 * when the file cannot be read, with errno ENOENT when it is not there.
 */
int dump_find_steps (const char *path,
                     const int64_t *steps,
                     size_t n,
                     uint64_t *offsets,
                     struct error *err);

#endif /* !FORMATS_DUMP_STEPS_H */
