/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_header.h - the key=value line of an extended XYZ frame */
#ifndef FORMATS_EXTXYZ_HEADER_H
#define FORMATS_EXTXYZ_HEADER_H

#include <stddef.h>

struct error;
struct frame;

/* Which words of an atom line mean something to us; -1: none does. */
struct extxyz_columns {
    int n;
    int species;
    int positions; /* the first of three */
    int forces;    /* the first of three */
};

/* Read the line [text, text + len) into the cell, labels and info of 'frame',
 * which has no atoms yet, and 'columns'.  Errors do not name file and line; on
 * failure the frame is for releasing only.
 */
int extxyz_header_parse (const char *text, size_t len, struct frame *frame,
                         struct extxyz_columns *columns, struct error *err);

#endif /* !FORMATS_EXTXYZ_HEADER_H */
