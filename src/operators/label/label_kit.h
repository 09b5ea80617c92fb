/* SPDX-License-Identifier: BSD-3-Clause */
/* label_kit.h - a code that labels: energy, forces and virial of a frame
 *
 * A kit is a table, and the operator "CODE.label" is made of it: its steps
 * `run` (one frame: label_run.c) and `collect` (all of them in one file:
 * label_collect.c) are the same for every code.  One frame is
 *
 *     read the frame -> for each template, until one converges:
 *         write_inputs -> run the program -> read_labels -> compare
 *     -> take the labels -> write the frame
 *
 * so a kit has only what its code's files need.  ../ADDING-ONE.md goes through
 * one.
 */
#ifndef OPERATORS_LABEL_KIT_H
#define OPERATORS_LABEL_KIT_H

#include "operators/kit.h"
#include "operators/step_task.h"
#include "operators/table.h"
#include "signature/operator.h"

struct frame;
struct lines;

/* No user's template is longer; no frame and no file of results. */
enum { TEMPLATE_MAX_BYTES = 1 << 20, LABEL_FILE_MAX_BYTES = 1 << 30 };

/* What a code's input is written of. */
struct label_input {
    const struct step_task *task;
    const struct json *inputs; /* the task's: {NAME: value} of every port */
    const char *name;          /* the user's template: its path, for messages */
    const char *text;
    size_t len;
    const struct frame *frame; /* symbols, positions, cell; with 'by_element',
                                  in that order */
};

struct label_kit {
    struct operator_spec spec; /* LABEL_OPERATOR (...) */
    const struct code *code;

    /* --- the program --- */
    const char *program;          /* the port that names it: "pw" */
    const char *const *arguments; /* behind it; NULL-terminated */
    const char *output;           /* what it prints is kept there: "pw.out" */
    const char *const *results;   /* files and directories that it leaves, and
                                     that are removed before it runs; */
    const char *const *scratch;   /* those that are removed after it, too;
                                     NULL-terminated, or NULL */
    const char *const *raw; /* files that tell people how it went, of which
                               copies may lie beside the labels (`raw:`); those
                               that it did not leave are passed over */

    /* --- the template --- */
    template_scanner *scan; /* with the table of those that no template has */
    const struct template_key *keys;
    /* What else must be so; NULL: nothing.  Errors begin with NAME:LINE. */
    int (*check_template) (const char *text, size_t len, const char *name,
                           struct error *err);
    /* ... with the stage's other inputs, before anything runs; NULL: nothing.
     */
    int (*check_with) (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err);

    /* What looks wrong with it: append "NAME:LINE: what; what to do", a line
     * each, by template_doubt.  NULL: nothing ever does.
     */
    void (*doubt_template) (const char *text, size_t len, const char *name,
                            const struct known_input *input,
                            struct strbuf *says);
    /* What labels depend on, so that the templates of `fallback` must set it as
     * `input` does: keys, NULL-terminated, or NULL; and what a template sets
     * one to, appended to 'value'.  False: it does not set it.
     */
    const char *const *same;
    bool (*setting) (const char *text, size_t len, const char *key,
                     struct strbuf *value);

    /* --- the code's files, in the current directory --- */
    bool needs_cell;    /* a frame without one is refused, */
    bool needs_periods; /* and one that does not repeat in all directions */
    bool no_periods;    /* one that repeats in any is refused, */
    bool no_mpi;        /* and more than one rank */
    bool by_element;    /* atoms of one element stand together in its files:
                           elements in the order in which they first occur */
    int (*write_inputs) (const struct label_input *input, struct error *err);
    /* The file that it leaves and its reader: all that the code tells, as
     * below; 'scales': its cell has few digits (label_scale_virial).
     */
    const char *results_file;
    const char *for_results; /* what the user writes where it is missing */
    int (*parse) (struct lines *lines, struct frame *labels, bool *converged,
                  struct error *err);
    bool scales;
    /* Without a 'results_file': read what it left, of 'sent', into 'labels',
     * which is initialised: all that the code tells (frame.h: symbols,
     * positions, cell; energy, forces, virial in our units and with our sign).
     * *converged false: labels are not looked at.  Called when the program
     * ended as it should.
     */
    int (*read_labels) (const struct frame *sent, struct frame *labels,
                        bool *converged, struct error *err);

    /* --- the same atoms? --- */
    double same_place_A; /* positions and cell of the labels are those that were
                            sent, to this; a lattice vector counts nothing */
    double same_cell_A;  /* the same of the cell; 0: same_place_A; INFINITY: the
                            code does not tell it */
    /* What the user writes in the template: */
    const char *for_forces; /* "set tprnfor = .true." */
    const char *for_place;  /* "let calculation be 'scf'" */
    const char *for_cell;   /* "remove ibrav, or set it to 0" */
};

/* The kit's checks of `frames`, and of `input` and `fallback`: check_frames,
 * check_input and doubt_input.
 */
#define LABEL_CHECK(KIT)                                                       \
    static int check_input (const struct known_input *input,                   \
                            struct error *err)                                 \
    {                                                                          \
        return label_check_template (&(KIT), input, err);                      \
    }                                                                          \
    static int check_frames (const struct known_input *input,                  \
                             struct error *err)                                \
    {                                                                          \
        return label_check_frames (&(KIT), input, err);                        \
    }                                                                          \
    static void doubt_input (const struct known_input *input,                  \
                             struct strbuf *says)                              \
    {                                                                          \
        label_doubt_template (&(KIT), input, says);                            \
    }

/* The ports that every label operator has; its own follow in the table. */
#define LABEL_INPUTS(PROGRAM, ARGV)                                            \
    { "frames", ONE (FRAMES), .from = "previous.select.frames",                \
      .check = check_frames },                                                 \
        { "input", ONE (FILE), .check = check_input, .doubt = doubt_input },   \
        { "fallback", LIST_OF (FILE), .optional = true, .check = check_input,  \
          .doubt = doubt_input },                                              \
        { "files", LIST_OF (FILE), .optional = true,                           \
          .check = label_check_files },                                        \
    {                                                                          \
        (PROGRAM), ONE (LIST), .default_json = (ARGV), .program = true,        \
                               .check = step_check_program                     \
    }

/* The kit's 'spec'; INPUT_FILES are those that write_inputs completes,
 * VERSION_LINE the beginning of the line in which the code tells its version,
 * NULL: not known.
 */
#define LABEL_OPERATOR(NAME, CODE, INPUTS, OTHER_NAMES, INPUT_FILES,           \
                       VERSION_LINE)                                           \
    {                                                                          \
        .name = (NAME), .code = (CODE), .version = 1, .inputs = (INPUTS),      \
        .other_names = (OTHER_NAMES), .outputs = label_outputs,                \
        .collected = label_collected, .fan_out = label_fan_out,                \
        .commands =                                                            \
            (const char *const *const[]){ STEP_ARGV (NAME, "run"), NULL },     \
        .collect = STEP_ARGV (NAME, "collect"), .writes_text = true,           \
        .fatal_exits = step_fatal_exits, .keeps_logs = true,                   \
        .input_files = (INPUT_FILES), .version_line = (VERSION_LINE),          \
        .leaves_raw = true,                                                    \
    }

extern const struct port label_outputs[];
extern const struct port label_collected[];
extern const char *const label_fan_out[];

/* For the check of `input` and `fallback`: the templates can be read, have none
 * of the kit's keys, and are what the kit says.
 */
int label_check_template (const struct label_kit *kit,
                          const struct known_input *input, struct error *err);

/* Has the frame the cell that the code needs?  'path' is what the error calls
 * it.  The same of all frames that the campaign names.
 */
int label_check_frame (const struct label_kit *kit, const char *path,
                       const struct frame *frame, struct error *err);
int label_check_frames (const struct label_kit *kit,
                        const struct known_input *input, struct error *err);

/* What looks wrong with them: what the kit doubts, and a fallback that would
 * make other labels than the input, or the same failure again.
 */
void label_doubt_template (const struct label_kit *kit,
                           const struct known_input *input,
                           struct strbuf *says);

/* Of an input `kspacing`, in 1/angstrom: far from what anybody uses. */
void label_doubt_kspacing (const struct known_input *input,
                           struct strbuf *says);

/* Files that templates name lie beside the inputs under their own names: no two
 * may have the same; link those of a task here.
 */
int label_check_files (const struct known_input *input, struct error *err);
int label_link_files (const struct json *inputs, struct error *err);

/* Read the template at 'path' into 'text', checked. */
int label_read_template (const struct label_kit *kit, const char *path,
                         struct strbuf *text, struct error *err);

/* --- the steps --- */

enum step_status label_run (const struct label_kit *kit, struct error *err);
enum step_status label_collect (struct error *err);

/* --- labels of what was sent (label_frame.c) --- */

/* The frame with atoms of one element together; *order has for each of its
 * atoms which one of 'frame' it is.  Caller frees 'order' and releases
 * 'sorted', which is initialised.
 */
int label_by_element (const struct frame *frame, struct frame *sorted,
                      size_t **order, struct error *err);

/* Are they labels of 'sent': the same atoms in the same order, in the same
 * places, and is all there?
 */
int label_compare (const struct label_kit *kit, const struct frame *sent,
                   const struct frame *labels, struct error *err);

/* For codes that print a stress and a cell of few digits: make the virial the
 * stress times the volume of the cell that was sent.
 */
void label_scale_virial (const struct frame *sent, struct frame *labels);

/* Move the labels to 'frame', whose atom order[i] is atom i of the labels
 * (NULL: atom i).  Its positions and cell stay as they were, to the last digit.
 */
void label_take (struct frame *frame, struct frame *labels,
                 const size_t *order);

#endif /* !OPERATORS_LABEL_KIT_H */
