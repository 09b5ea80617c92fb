/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.h - does a directory do what the data space depends on?
 *
 * Each ability is tried with files of its own, which are removed again.
 */
#ifndef DOCTOR_TRIAL_H
#define DOCTOR_TRIAL_H

#include "base/file_system.h"

struct error;
struct findings;

enum ability {
    ABILITY_EXCLUSIVE, /* O_EXCL refuses a name that is there */
    ABILITY_LINK,      /* link() refuses a name that is there, and makes one */
    ABILITY_RENAME,    /* rename() puts a file in the place of another */
    ABILITY_SYNC,      /* files and directories can be fsynced */
    ABILITY_APPEND,    /* what is appended can be read back */
    ABILITY_LOCK,      /* fcntl() locks can be had */
    ABILITY_COUNT,
};

struct trial {
    struct file_system fs;
    char failure[ABILITY_COUNT][128]; /* ""; or what went wrong */
};

/* Try all in 'dir', which exists.  -1 when nothing can be made there at all. */
int trial_run (const char *dir, struct trial *trial, struct error *err);

/* Append what is to be said of it (pure); 'where' begins each subject: "data
 * space", "profile 'cpu': data space".
 */
void trial_judge (const struct trial *trial,
                  const char *where,
                  struct findings *findings);

#endif /* !DOCTOR_TRIAL_H */
