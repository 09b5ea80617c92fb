/* SPDX-License-Identifier: BSD-3-Clause */
/* training.h - one call of `fanfold quick`, and the campaign it becomes (pure)
 */
#ifndef QUICK_TRAINING_H
#define QUICK_TRAINING_H

#include "base/digest.h"
#include "quick/hyperparams.h"

enum { TRAINING_NODES_MAX = 4096, TRAINING_PROCS_MAX = 4096 };

/* What the command is told the path of: a dataset, a model, the output of an
 * earlier task.
 */
struct training_input {
    const char *kind; /* "dataset", "model" or "pretrain" */
    char *option;     /* the name of the argument: "dataset" */
    char *id;         /* "data-a.1", or the earlier task */
    char *path;       /* in the task's directory */
    bool file;        /* else a directory */
    char sha256[DIGEST_HEX_SIZE];
};

/* What lies where in the task's directory of the campaign while it runs. */
#define TRAINING_TREE "tree"
#define TRAINING_STAGE "train"
#define TRAINING_CODE "quick" /* of its operator */
#define TRAINING_OUTPUT "output"

struct training {
    char *task; /* its ID; NULL: not known yet */
    char *project, *description;
    char *algorithm;      /* its ID */
    char *algorithm_path; /* in the task's directory */
    char algorithm_sha256[DIGEST_HEX_SIZE];
    char *revision; /* the commit that was asked for, or the digest */
    struct training_input *inputs;
    size_t n_inputs, alloc_inputs;
    struct strvec command;
    struct hyperparams hyperparams;
    struct hyperparam_style style;
    char *profile;      /* NULL: the site's */
    char *image;        /* NULL: none */
    char *output;       /* NULL: nothing is kept */
    struct json *needs; /* {cores, gpus, memory} of a node, {walltime} */
    int nodes, procs_per_node;
    bool not_reused; /* it runs even if what it makes is known */
};

#define TRAINING_INIT                                                          \
    {                                                                          \
        .nodes = 1, .procs_per_node = 1, .command = STRVEC_INIT,               \
        .hyperparams = HYPERPARAMS_INIT                                        \
    }

void training_release (struct training *training);

/* Takes over 'input'. */
void training_add_input (struct training *training,
                         struct training_input input);

/* A hyperparameter may not be called as what an input's path is passed by. */
int training_check (const struct training *training, struct error *err);

/* COMMAND and what follows it, as it runs; paths of inputs below 'dir'. */
void training_argv (const struct training *training, const char *dir,
                    struct strvec *argv);

/* The campaign of one task: a stage TRAINING_STAGE whose operator is a group of
 * a program for each node.  Caller unrefs.
 */
struct json *training_campaign (const struct training *training);

/* The same as text, with what it is in front. */
void training_campaign_text (const struct training *training,
                             struct strbuf *out);

/* What is kept of it, and what two calls that ask for the same have in common:
 * everything but the task's ID.  Caller unrefs.
 */
struct json *training_record (const struct training *training);
void training_digest (const struct training *training,
                      char hex[DIGEST_HEX_SIZE]);

#endif /* !QUICK_TRAINING_H */
