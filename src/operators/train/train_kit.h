/* SPDX-License-Identifier: BSD-3-Clause */
/* train_kit.h - a code that trains models on labelled frames
 *
 * A kit is a table, and the operator "CODE.train" is made of it: its steps
 * `run` (one model) and `report` (where that stands, while it runs) are the
 * same for every code (train_run.c).  One model is
 *
 *     write_inputs -> train -> read_curve: are its errors numbers?
 *     -> finish -> write the parameters
 *
 * so a kit has only what its code's programs and files need.
 */
#ifndef OPERATORS_TRAIN_KIT_H
#define OPERATORS_TRAIN_KIT_H

#include "operators/step_task.h"
#include "operators/table.h"
#include "signature/group.h"
#include "signature/operator.h"

struct code;

/* No user's template is longer. */
enum { TRAIN_TEMPLATE_MAX_BYTES = 16 << 20 };

/* Where it stands. */
struct train_curve {
    struct json *last;   /* {NAME: number or null} of the last row: "step", and
                            errors as the operator's outputs are called; owned */
    int64_t diverged_at; /* since which step the total error is no number; -1:
                            it is one */
};

/* One task, as the kit sees it. */
struct training {
    const struct train_kit *kit;
    struct step_task task;
    struct strvec program;
    struct strvec elements;
    struct strvec datasets;   /* files of labelled frames, absolute */
    struct strvec validation; /* the same, never trained on */
    int64_t model;            /* which member of the committee, from 0 */
    bool restart; /* files of a try that was cut short lie here (checkpoint) */
    uint64_t n_frames; /* to train on; the kit counts them */
};

struct train_kit {
    struct operator_spec spec; /* TRAIN_OPERATOR (...) */
    const struct code *code;
    const char *program; /* the port that names it */
    const char *curve;   /* the file of its learning curve */
    bool repeats;        /* what is random follows the task's seed, so that
                            another try ends the same way */

    /* Write what the code is given, of the user's template [text, +len), called
     * 'name', into the current directory.
     */
    int (*write_inputs) (struct training *t, const char *text, size_t len,
                         const char *name, struct error *err);

    /* Run the training, by train_program; nothing where an earlier try had
     * ended it.
     */
    enum step_status (*train) (const struct training *t, struct error *err);

    /* Read the file at 'path'; -1 with 'err' also where it has no row yet. */
    int (*read_curve) (const char *path, struct train_curve *curve,
                       struct error *err);

    /* Make the outputs, other than the curve and parameters, of what the
     * training left; `parity` (parity.h) where there is validation.
     */
    enum step_status (*finish) (const struct training *t, struct error *err);
};

/* Run the task's program with 'arguments' (NULL-terminated), under the launcher
 * where the task has several ranks.
 */
enum step_status train_program (const struct training *t,
                                const char *const *arguments,
                                struct error *err);

/* The same without the launcher: ranks would write one file all at once. */
enum step_status train_program_alone (const struct training *t,
                                      const char *const *arguments,
                                      struct error *err);

/* What the list under 'input' has for this model: its own member, or the only
 * one; NULL in *path: nothing.
 */
int train_member (const struct training *t, const char *input,
                  const char **path, struct error *err);

/* --- the steps --- */

enum step_status train_run (const struct train_kit *kit, struct error *err);

/* Print where the training in the current directory stands, as a JSON object;
 * {}: it has not begun.
 */
enum step_status train_report (const struct train_kit *kit, struct error *err);

/* --- ports --- */

/* The template that 'input' names, in 'text'; for its check. */
int train_read_template (const struct known_input *input, struct strbuf *text,
                         struct error *err);

/* The inputs that every training operator has first. */
#define TRAIN_INPUTS(check_template, doubt_template)                           \
    { "model", ONE (INT), .from = "models" },                                  \
        { "input", ONE (FILE), .check = (check_template),                      \
          .doubt = (doubt_template) },                                         \
        { "datasets", LIST_OF (FRAMES), .from = "all.label.dataset" },         \
        { "validation", LIST_OF (FRAMES), .default_json = "[]" },              \
    {                                                                          \
        "elements", ONE (LIST), .from = "elements"                             \
    }

/* The outputs that every training operator has first; 'curve_file' is the
 * kit's.
 */
#define TRAIN_OUTPUTS(curve_file)                                              \
    { "potential", .type = ONE (DIR) }, { "checkpoint", .type = ONE (DIR) },   \
        { "lcurve", .type = ONE (FILE), .path = (curve_file),                  \
          .take = (curve_file) },                                              \
        { "parity", .type = ONE (FILE), .optional = true },                    \
        { "step", .type = ONE (INT) },                                         \
    {                                                                          \
        "frames", .type = ONE (INT)                                            \
    }

/* The task is a group of one program, which has all of the task: so it has a
 * report.
 */
#define TRAIN_GROUP(operator_name)                                             \
    {                                                                          \
        .nodes = train_nodes,                                                  \
        .programs = (const struct group_program[]){ {                          \
            .name = "train",                                                   \
            .node = group_local_node,                                          \
            .instances = 1,                                                    \
            .commands =                                                        \
                (const char *const *const[]){                                  \
                    STEP_ARGV (operator_name, "run"), NULL },                  \
        } },                                                                   \
        .n_programs = 1, .report = { STEP_ARGV (operator_name, "report"), 5 }, \
    }
extern const char *const train_nodes[];

/* The kit's 'spec'.  CHECKPOINT: patterns of what the program can go on from.
 */
#define TRAIN_OPERATOR(NAME, CODE, INPUTS, OTHER_NAMES, OUTPUTS, CHECKPOINT,   \
                       INPUT_FILES, VERSION_LINE)                              \
    {                                                                          \
        .name = (NAME), .code = (CODE), .version = 1, .inputs = (INPUTS),      \
        .other_names = (OTHER_NAMES), .outputs = (OUTPUTS),                    \
        .fan_out = train_fan_out, .commands = train_commands,                  \
        .group = &(const struct group_spec)TRAIN_GROUP (NAME),                 \
        .writes_text = true, .fatal_exits = step_fatal_exits,                  \
        .broken_exits = step_broken_exits, .checkpoint = (CHECKPOINT),         \
        .reads = train_reads, .keeps_logs = true,                              \
        .input_files = (INPUT_FILES), .version_line = (VERSION_LINE),          \
    }
extern const char *const train_fan_out[];
extern const char *const *const train_commands[];
extern const char *const train_reads[];

#endif /* !OPERATORS_TRAIN_KIT_H */
