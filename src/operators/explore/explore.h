/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.h - molecular dynamics that look for frames, with any code
 *
 * An exploring operator is its ports, steps that are one line each, and a
 * struct explore_kit that says what its code is given and what it leaves.  The
 * rest is written here once: which tasks there are (runs.h), what is wrong with
 * the inputs (EXPLORE_CHECKS), and the story of a task (explore_run_step).
 */
#ifndef OPERATORS_EXPLORE_H
#define OPERATORS_EXPLORE_H

#include "formats/frame.h"
#include "operators/kit.h"
#include "operators/explore/runs.h"
#include "operators/step_task.h"
#include "operators/table.h"

/* About ten million atoms; no user's template is longer. */
enum {
    EXPLORE_STRUCTURE_MAX_BYTES = 1 << 30,
    EXPLORE_TEMPLATE_MAX_BYTES = 1 << 20,
};

struct explore_frames {
    int64_t seen; /* times the MD was looked at, to the end */
    int64_t kept; /* frames in the trajectory */
    int64_t bad;  /* of those seen, that are no configurations */
};

/* One task, as the kit sees it. */
struct exploration {
    const struct explore_kit *kit;
    struct step_task task;
    struct strvec program;
    struct strvec elements;
    struct strvec potentials; /* absolute paths of the members, */
    struct strvec links;      /* and what they are linked under */
    struct json *variables;   /* {NAME: number}, from for_each */
    int64_t steps, dump_every;
    struct frame start; /* scaled by the variable `scale`, if there is one */
    const char *trajectory;       /* where it goes */
    struct explore_frames frames; /* of the trajectory */
    bool blown_up;
};

struct explore_kit {
    const struct operator_spec *op; /* EXPLORE_OPERATOR (...) */
    const char *prepare, *run;      /* what its steps are called */
    const struct code *code;
    const char *program; /* the input with its argv */

    /* --- the user's template, in which is ${steps} --- */
    template_scanner *scan; /* with the table of those that no template has */
    const struct template_key *keys;
    const char *variable; /* the key that would set a variable of for_each:
                             "variable NAME" is refused; NULL: none can */
    /* What else must be so; NULL: nothing.  Errors begin with NAME. */
    int (*check_template) (const char *text, size_t len, const char *name,
                           const struct json *for_each, struct error *err);
    /* Append what looks wrong, a line each; NULL: nothing ever does.  'text' is
     * a string; 'elements' are the campaign's, NULL-terminated, or NULL.
     */
    void (*doubt_template) (const char *text, const char *name,
                            const struct json *for_each,
                            const char *const *elements, struct strbuf *says);

    /* Where the member 'k' at 'path' is linked for the code; caller frees. */
    char *(*link_name) (size_t k, const char *path);

    /* Write what the code is given, of the user's template [lines, +len), into
     * the current directory.
     */
    int (*write_inputs) (const struct exploration *e, const char *lines,
                         size_t len, struct error *err);

    const char *const *arguments; /* of the program, NULL-terminated */
    const char *md_name;          /* what messages call the MD: "md.in" */
    const char *log;              /* where it prints to */
    const char *hint_word;        /* an error with this word ... */
    const char *hint;             /* ... ends in this; NULL: none does */

    bool without_start; /* the start is not among what is looked at */

    /* Make the trajectory of what the MD left: only whole frames that are
     * configurations.  What else the outputs are made of may be taken, too.
     */
    int (*keep_frames) (struct exploration *e, struct error *err);

    /* Let the committee judge the trajectory; NULL: the MD did. */
    enum step_status (*judge) (const struct exploration *e, struct error *err);
};

/* For check_template: is each variable of 'for_each' in 'text', as ${NAME}, $N
 * or v_NAME?  `scale` is of the start.
 */
int explore_check_used (const char *text, const char *name,
                        const struct json *for_each, struct error *err);

/* --- the start --- */

/* Read the file at 'path': a LAMMPS data file, whose type t is
 * elements->v[t-1] (*is_data, which may be NULL), or the first frame of another
 * that formats/frame_reader.h reads.  'frame' must be initialised.
 */
int explore_read_structure (const char *path, const struct strvec *elements,
                            struct frame *frame, bool *is_data,
                            struct error *err);

/* Has the committee, 'inputs' {"potentials": [...], "identical_members": ...},
 * a member, and none twice, unless that is allowed?
 */
int explore_check_members (const struct json *inputs, struct error *err);

/* --- running --- */

/* Run the kit's program: STEP_OK also where the atoms went where no simulation
 * can follow, which is *exploded then.  'input' is what messages are about.
 */
enum step_status explore_run_code (const struct exploration *e,
                                   const char *input,
                                   const char *const *arguments,
                                   const char *log, bool *exploded,
                                   struct error *err);

/* Frames after the start of an MD that does not explode. */
int64_t explore_frames_expected (const struct exploration *e);

/* --- the steps --- */

/* Check what the user gave and say what the tasks are. */
enum step_status explore_prepare_step (const struct explore_kit *kit,
                                       struct error *err);

/* One MD, and what its committee says. */
enum step_status explore_run_step (const struct explore_kit *kit,
                                   struct error *err);

/* --- ports --- */

/* Checks of inputs, as struct port has them. */
int explore_check_input (const struct explore_kit *kit,
                         const struct known_input *input, struct error *err);
int explore_check_runs (const struct explore_kit *kit,
                        const struct known_input *input, struct error *err);
int explore_check_systems (const struct known_input *input, struct error *err);

/* What looks wrong: with the lines, by the kit, and with where an MD starts:
 * atoms that are on top of each other.
 */
void explore_doubt_input (const struct explore_kit *kit,
                          const struct known_input *input, struct strbuf *says);
void explore_doubt_runs (const struct explore_kit *kit,
                         const struct known_input *input, struct strbuf *says);
void explore_doubt_dump_every (const struct known_input *input,
                               struct strbuf *says);
void explore_doubt_for_each (const struct known_input *input,
                             struct strbuf *says);
void explore_doubt_systems (const struct known_input *input,
                            struct strbuf *says);
int explore_check_for_each (const struct known_input *input, struct error *err);
int explore_check_replicas (const struct known_input *input, struct error *err);
int explore_check_dump_every (const struct known_input *input,
                              struct error *err);
int64_t explore_count_tasks (const struct json *inputs, const char *dir);

/* The checks of a kit, check_input and check_runs, which its ports name. */
#define EXPLORE_CHECKS(kit)                                                    \
    static int check_input (const struct known_input *input,                   \
                            struct error *err)                                 \
    {                                                                          \
        return explore_check_input (&(kit), input, err);                       \
    }                                                                          \
    static int check_runs (const struct known_input *input, struct error *err) \
    {                                                                          \
        return explore_check_runs (&(kit), input, err);                        \
    }                                                                          \
    static void doubt_input (const struct known_input *input,                  \
                             struct strbuf *says)                              \
    {                                                                          \
        explore_doubt_input (&(kit), input, says);                             \
    }                                                                          \
    static void doubt_runs (const struct known_input *input,                   \
                            struct strbuf *says)                               \
    {                                                                          \
        explore_doubt_runs (&(kit), input, says);                              \
    }

/* The inputs that every exploring operator has first. */
#define EXPLORE_INPUTS                                                         \
    { "input", ONE (FILE), .optional = true, .check = check_input,             \
      .doubt = doubt_input },                                                  \
        { "systems", ONE (ANY), .optional = true,                              \
          .check = explore_check_systems, .doubt = explore_doubt_systems },    \
        { "for_each", MAP_OF (explore_values), .default_json = "{}",           \
          .check = explore_check_for_each, .doubt = explore_doubt_for_each },  \
        { "replicas", ONE (INT), .default_json = "1",                          \
          .check = explore_check_replicas },                                   \
        { "steps", ONE (INT), .optional = true, .check = step_check_count },   \
        { "dump_every", ONE (INT), .optional = true,                           \
          .check = explore_check_dump_every,                                   \
          .doubt = explore_doubt_dump_every },                                 \
        { "identical_members", ONE (STRING), .default_json = "\"error\"",      \
          .check = step_check_identical },                                     \
    {                                                                          \
        "runs", MAPS_WITH (explore_run_fields),                                \
            .default_json = "[]", .check = check_runs, .doubt = doubt_runs     \
    }

/* DP-GEN's names of them, of model_devi_jobs and beside it. */
#define EXPLORE_OTHER_NAMES                                                    \
    { "sys_configs", "systems: {NAME: FILE}" },                                \
        { "sys_idx", "systems: {NAME: FILE}" }, { "nsteps", "steps: N" },      \
        { "trj_freq", "dump_every: N" },                                       \
        { "temps", "for_each: {temperature: [T, ...]}" },                      \
        { "press", "for_each: {pressure: [P, ...]}" },                         \
        { "rev_mat", "for_each: {NAME: [A, ...]}" },                           \
        { "type_map", "elements: [SYMBOL, ...]" },                             \
    {                                                                          \
        "model_devi_jobs",                                                     \
            "runs: [{systems, for_each, steps, input}, ...], or "              \
            "phases: of the campaign"                                          \
    }

/* The operator of such a table of inputs. */
#define EXPLORE_OPERATOR(NAME, CODE, INPUTS, OTHER_NAMES, OUTPUTS, PREPARE,    \
                         RUN, INPUT_FILES)                                     \
    .name = (NAME), .code = (CODE), .version = 2, .inputs = (INPUTS),          \
    .other_names = (OTHER_NAMES), .outputs = (OUTPUTS),                        \
    .slices = explore_slices, .prepare = STEP_ARGV (NAME, PREPARE),            \
    .count_tasks = explore_count_tasks,                                        \
    .commands = (const char *const *const[]){ STEP_ARGV (NAME, RUN), NULL },   \
    .writes_text = true, .fatal_exits = step_fatal_exits,                      \
    .reads = explore_reads, .keeps_logs = true, .input_files = (INPUT_FILES)

extern const char *const explore_reads[];

/* What prepare makes, and the parameters that every exploring operator has. */
extern const struct port explore_slices[];

#define EXPLORE_PARAMETERS                                                     \
    { "system", .type = ONE (STRING) },                                        \
        { "frames_expected", .type = ONE (INT) },                              \
        { "frames", .type = ONE (INT) }, { "conditions", .type = ONE (MAP) },  \
    {                                                                          \
        "blown_up", .type = ONE (BOOL)                                         \
    }

#endif /* !OPERATORS_EXPLORE_H */
