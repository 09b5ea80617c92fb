/* SPDX-License-Identifier: BSD-3-Clause */
/* train_input.h - input.json of `dp train`, from the user's template
 *
 * The template is what a person trains with (deepmd-kit,
 * doc/train/train-input.rst; the form of version 1, with training.systems, as
 * well).  Data and seeds, which differ from task to task, are completed.
 */
#ifndef OPERATORS_DEEPMD_TRAIN_INPUT_H
#define OPERATORS_DEEPMD_TRAIN_INPUT_H

/* Names that dp gives, which the template may say, but not change. */
#define DEEPMD_CURVE "lcurve.out"
#define DEEPMD_INPUT "input.json"
#define DEEPMD_CHECKPOINT "model.ckpt"

/* Has the template all that is not ours, and nothing that is, and does its type
 * map begin with the elements (if it has any)?  The error names the line.
 */
int deepmd_input_check (const char *text, size_t len, const char *name,
                        const struct strvec *elements, struct error *err);

/* What `dp train` would refuse, or train nonsense by, once it runs: numbers
 * that are none or out of range, lists that do not fit the elements (none: not
 * known), words one letter off.  -1 with 'err', a line each.
 */
int deepmd_settings_check (const char *text, size_t len, const char *name,
                           const struct strvec *elements, struct error *err);

/* Append a line for each setting that looks wrong. */
void deepmd_settings_doubt (const char *text, size_t len, const char *name,
                            struct strbuf *says);

/* For how many steps an input trains; -1: it does not say so. */
int64_t deepmd_input_steps (const struct json *input);

/* Has the model in 'dir', as far as an input.json lies there, more to do up to
 * 'steps'?  -1 with 'err' where it has not: dp would train one step.
 */
int deepmd_restart_check (const char *dir, int64_t steps, struct error *err);

/* Does it ask for validation data? */
bool deepmd_input_validates (const char *text, size_t len);

/* Systems to train on, in the order of the data sets that have them. */
struct deepmd_systems {
    struct strvec paths;
    size_t *n_of_set; /* how many of them each data set has; owned */
    uint64_t *frames_of_set;
    size_t n_sets;
    bool mixed, plain; /* of which form there are any */
};

#define DEEPMD_SYSTEMS_INIT                                                    \
    {                                                                          \
        .paths = STRVEC_INIT                                                   \
    }

/* Append a data set, the systems found at 'dir', whose types must be among the
 * elements, if there are any.
 */
int deepmd_systems_add (struct deepmd_systems *systems, const char *dir,
                        const struct strvec *elements, struct error *err);
/* Refuse systems of the mixed form, beside which there are frames, which are
 * written in the other.
 */
int deepmd_systems_refuse_mixed (const struct deepmd_systems *systems,
                                 const struct strvec *elements,
                                 struct error *err);

uint64_t deepmd_systems_frames (const struct deepmd_systems *systems);
void deepmd_systems_release (struct deepmd_systems *systems);

struct deepmd_completion {
    const struct strvec *elements;
    const struct deepmd_systems *training;
    const struct deepmd_systems *validation; /* may have none */
    int64_t seed;             /* of the task: what else is random follows */
    const struct json *reuse; /* what changes where a model is trained further
                                 ("steps", "start_lr", ...); NULL: nothing */
};

/* The template with all that is ours.  Caller unrefs; NULL with 'err'. */
struct json *deepmd_input_complete (const char *text, size_t len,
                                    const char *name,
                                    const struct deepmd_completion *with,
                                    struct error *err);

#endif /* !OPERATORS_DEEPMD_TRAIN_INPUT_H */
