/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_making.h - the making of one task of `fanfold quick` */
#ifndef COMMANDS_QUICK_MAKING_H
#define COMMANDS_QUICK_MAKING_H

#include "commands/quick.h"
#include "quick/training.h"

/* One call. */
struct making {
    const struct quick *quick;
    struct training training;
    char *task, *dir;     /* being made; NULL: not begun */
    struct strvec models; /* IDs */
    struct strvec warnings;
    struct error err;
    bool complained; /* what is wrong has been said */
};

/* What the call says of the option, or NULL. */
const char *quick_option (const struct making *m, const char *name);

/* Register what is given by path, find what is given by name, and put all of
 * it into m->dir: algorithm, datasets, models and outputs of earlier tasks.
 */
int quick_add_resources (struct making *m);

#endif /* !COMMANDS_QUICK_MAKING_H */
