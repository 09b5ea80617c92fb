/* SPDX-License-Identifier: BSD-3-Clause */
/* layout_read.h - what a path of the data space is
 *
 * The other way round than layout.h: what lies where is told by its path, so it
 * can be known without a plan or a journal.
 */
#ifndef SPACE_LAYOUT_READ_H
#define SPACE_LAYOUT_READ_H

enum space_kind {
    SPACE_STAGE,    /* below STAGE/CODE/iter/ITER */
    SPACE_DATASET,  /* below dataset/FORMAT/iter/ITER */
    SPACE_RUN,      /* below .fanfold/run/GENERATION */
    SPACE_INPUTS,   /* copies of a user's files */
    SPACE_REPLACED, /* what was replaced */
    SPACE_KEPT,     /* data that a reset kept */
    SPACE_CALLS,    /* calls of functions, campaigns of their own */
    SPACE_RECORDS,  /* configurations, and the rest of .fanfold */
    SPACE_OTHER,    /* the user's own */
    SPACE_KINDS,
};

enum { SPACE_NAME_SIZE = 256 };

struct space_path {
    enum space_kind kind;
    char name[SPACE_NAME_SIZE]; /* of the stage, or the format; else "" */
    char code[SPACE_NAME_SIZE]; /* SPACE_STAGE only */
    int iteration;              /* -1: none */
    int generation;             /* SPACE_RUN only; else 0 */
    int task;         /* SPACE_STAGE: below job/TASK; -1: of the stage itself */
    const char *rest; /* what is below that, "" for the directory; lent */
};

/* 'path' is relative to the campaign directory. */
void space_path_read (const char *path, struct space_path *out);

/* "stage", "run", ... */
const char *space_kind_name (enum space_kind kind);

#endif /* !SPACE_LAYOUT_READ_H */
