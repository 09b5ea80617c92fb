/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_origin.h - which file a frame of a joined set was in
 *
 * In extended XYZ it is fanfold_origin="PATH" of the frame, in DeePMD's data a
 * line of the system (deepmd_writer.h).
 */
#ifndef FORMATS_FRAME_ORIGIN_H
#define FORMATS_FRAME_ORIGIN_H

#define FRAME_ORIGIN "fanfold_origin"

/* Append the text of one frame of extended XYZ, as it is, but with 'path' as
 * its origin; with 'keep', unless it has one.  Quotes, backslashes and control
 * characters of the path become "_".
 */
void frame_origin_set (const char *text, size_t len, const char *path,
                       bool keep, struct strbuf *out);

#endif /* !FORMATS_FRAME_ORIGIN_H */
