/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.h - DeePMD-kit's backends: how each calls its files (deepmd-kit,
 * doc/backend.md), and models that a directory holds
 *
 * A training leaves checkpoints, model.ckpt-N with the endings of the backend,
 * model.ckpt as links to the last, and the file `checkpoint`, which names the
 * last.  `dp freeze` makes of it the model that LAMMPS reads.
 */
#ifndef OPERATORS_DEEPMD_BACKEND_H
#define OPERATORS_DEEPMD_BACKEND_H

struct deepmd_backend {
    const char *name;                  /* "pt" */
    const char *flag;                  /* before dp's command; NULL: none */
    const char *const *checkpoint;     /* the endings of a checkpoint's files,
                                          which are there together */
    const char *frozen;                /* what `dp freeze` is asked for */
    const char *const *frozen_endings; /* and what it may leave, NULL-ended */
    bool trains_ranks;                 /* several, under the launcher */
    bool compresses;
    bool finetunes_frozen; /* from a frozen model, not from a checkpoint */
    bool starts_frozen;    /* has --init-frz-model */
};

/* Can a training have so many ranks?  The error says what to write. */
int deepmd_backend_check_ranks (const struct deepmd_backend *backend, int ranks,
                                struct error *err);

/* The backend called so, or NULL. */
const struct deepmd_backend *deepmd_backend_find (const char *name);

/* The checkpoint in 'dir', as `dp` takes it: "DIR/model.ckpt" of
 * TensorFlow, "DIR/model.ckpt.pt".  Where none is called model.ckpt the only
 * one there is; 'dir' itself, where it is a file.  Caller frees; NULL with
 * 'err'.
 */
char *deepmd_find_checkpoint (const struct deepmd_backend *backend,
                              const char *dir, struct error *err);

/* The frozen model in 'dir': graph with an ending of the backend, or the only
 * one there is; 'dir' itself, where it is the model.  Caller frees; NULL with
 * 'err'.
 */
char *deepmd_find_frozen (const struct deepmd_backend *backend, const char *dir,
                          struct error *err);

/* The checkpoint from which the training in the current directory, which was
 * killed, can go on: one that was written to its end.  Caller frees; NULL:
 * there is none.
 */
char *deepmd_last_checkpoint (const struct deepmd_backend *backend);

/* Copy the files of the last checkpoint to 'dir', as model.ckpt.  They stay
 * where they are, so that a task that is killed now goes on from there.
 */
int deepmd_keep_checkpoint (const struct deepmd_backend *backend,
                            const char *dir, struct error *err);

#endif /* !OPERATORS_DEEPMD_BACKEND_H */
