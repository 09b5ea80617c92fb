/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_mark.h - which frame of which file */
#ifndef SELECTION_FRAME_MARK_H
#define SELECTION_FRAME_MARK_H

struct frame_mark {
    size_t file;     /* in the order of whoever reads them */
    uint64_t number; /* of the frame in it, from 0 */
};

#endif /* !SELECTION_FRAME_MARK_H */
