/* SPDX-License-Identifier: BSD-3-Clause */
/* packed_copy.h - a compressed copy of a file */
#ifndef FORMATS_PACKED_COPY_H
#define FORMATS_PACKED_COPY_H

/* Write the file 'from', compressed by gzip, to 'to' (file_write_atomic).  The
 * same bytes give the same file: it tells neither name nor time.
 */
int packed_copy (const char *from, const char *to, struct error *err);

#endif /* !FORMATS_PACKED_COPY_H */
