/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_header.h - the key=value line of an extended XYZ frame */
#ifndef FORMATS_EXTXYZ_HEADER_H
#define FORMATS_EXTXYZ_HEADER_H

struct extxyz_labels;
struct frame;

/* Which words of an atom line mean something to us; -1: none does. */
struct extxyz_columns {
    int n;
    int species;
    int numbers;   /* atomic ones, where there are no species */
    int positions; /* the first of three */
    int forces;    /* the first of three */
};

/* How the line is read; NULL or zeros: as Fanfold writes it, silently. */
struct extxyz_reading {
    const struct extxyz_labels *labels; /* which keys are; or NULL */
    struct strvec *notes; /* what is left out or chosen (frame_note), or NULL */
};

/* Read the line [text, text + len) into the cell, labels and info of 'frame',
 * which has no atoms yet, and 'columns'.  'reading' may be NULL.  Errors do not
 * name file and line; on failure the frame is for releasing only.
 */
int extxyz_header_parse (const char *text, size_t len,
                         const struct extxyz_reading *reading,
                         struct frame *frame, struct extxyz_columns *columns,
                         struct error *err);

#endif /* !FORMATS_EXTXYZ_HEADER_H */
