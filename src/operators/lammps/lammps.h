/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps.h - LAMMPS: how it ends, what it is given to explore and to label, and
 * what of its trajectory is kept
 */
#ifndef OPERATORS_LAMMPS_LAMMPS_H
#define OPERATORS_LAMMPS_LAMMPS_H

#include "operators/code_trial.h"
#include "operators/explore/explore.h"
#include "operators/label/label_kit.h"

/* The committees of lammps.explore. */
extern const struct explore_kit lammps_rerun_kit;
extern const struct explore_kit lammps_deepmd_kit;

/* lammps.explore where a stage says `committee: deepmd`. */
extern const struct operator_spec lammps_explore_deepmd_operator;

extern const struct label_kit lammps_label;

extern const struct operator_spec lammps_properties_operator;

/* Its steps: which crystals and members there are, a crystal with a member, and
 * what of all is told.
 */
enum step_status lammps_properties_prepare (struct error *err);
enum step_status lammps_properties_run (struct error *err);
enum step_status lammps_properties_collect (struct error *err);

/* How it ends: an explosion is DIVERGED, the message the error line and the
 * command that it stopped at.
 */
extern const struct code lammps_code;

/* Of a LAMMPS that has no DeePMD-kit: what; what to do. */
#define LAMMPS_LACKS_DEEPMD                                                    \
    "this LAMMPS has no pair_style deepmd; let env of the profile set "        \
    "LAMMPS_PLUGIN_PATH to the lib/deepmd_lmp of DeePMD-kit, or name another " \
    "LAMMPS, lammps: [PROGRAM]"

/* For the program of all its operators. */
extern const struct code_trial lammps_trial;

/* --- the inputs of the MD and its rerun --- */

/* Names in a task's directory. */
#define LAMMPS_START_FILE "conf.data"

/* The input of an MD as it is completed, and of its reruns. */
extern const char *const lammps_input_files[];
#define LAMMPS_MD_DUMP "md.dump"

/* Arguments of LAMMPS that reads the input 'file'. */
#define LAMMPS_ARGUMENTS(file)                                                 \
    {                                                                          \
        "-in", (file), "-log", "none", "-nocite", NULL                         \
    }

struct lammps_setup {
    const char *pair_style; /* templates with {potential} and {elements} */
    const char *pair_coeff;
    const char *deepmd; /* what {deepmd} is; NULL: there is none */
    const struct strvec *elements;
    const struct strvec *links; /* what the members are linked under */
    struct json *variables;     /* {NAME: number}, from for_each */
    int64_t seed;               /* of the task, any positive number */
    int64_t steps;
    int64_t dump_every;
    bool is_skewed; /* the cell: its tilt may be large */
};

/* What a task says of it, lent; without 'deepmd'. */
int lammps_read_setup (const struct exploration *e, struct lammps_setup *setup,
                       struct error *err);

/* Check the placeholders of a pair_style or pair_coeff: {elements} and
 * 'another' (NULL: that alone).
 */
int lammps_check_line (const char *line_template, const char *another,
                       struct error *err);

/* Does the line, of a pair_coeff, not end in the 'elements' (a list of symbols;
 * NULL: not known) in another order?  Atom types are numbered as they are.
 * 'instead' is what stands for them.
 */
int lammps_check_types (const char *line, const struct json *elements,
                        const char *instead, struct error *err);

/* For ports: pair_style and pair_coeff of a committee, `potentials`, each
 * member of which is {potential}.
 */
int lammps_check_pair (const struct known_input *input, struct error *err);
int lammps_check_pair_coeff (const struct known_input *input,
                             struct error *err);

/* The name committee member 'k' at 'path' is linked under: "potential_0", with
 * the ending of a file ("potential_0.pb"), by which some codes tell what it is.
 * Caller frees, as below.
 */
char *lammps_potential_link (size_t k, const char *path);

/* The same, where a member may be a directory, whose name has no ending. */
char *lammps_member_link (size_t k, const char *path);

/* Where the forces of member 'k' go below 'dir': "DIR/000.dump", so that the
 * order of names is the order of members.
 */
char *lammps_forces_path (const char *dir, size_t k);

/* The keys of the user's lines: the first word of each, of `variable` with the
 * name; and those that Fanfold writes.
 */
template_scanner lammps_scan_lines;
extern const struct template_key lammps_keys[];

/* Is every variable of the user's lines set, by them, by Fanfold or by
 * 'for_each', and does some line use each of those?  'text' is a string of
 * 'len' bytes.  -1 with 'err'; 0 also where lines read other files, which may
 * do it.
 */
int lammps_check_variables (const char *text, size_t len, const char *name,
                            const struct json *for_each, struct error *err);

/* Would LAMMPS stop at a line of the user's MD, or run other than its steps?
 * What looks wrong is appended by the other, a line each.  'text' is a string.
 */
int lammps_check_md (const char *text, const char *name, struct error *err);
void lammps_doubt_md (const char *text, const char *name,
                      const struct json *for_each, const char *const *elements,
                      struct strbuf *says);

/* What an MD's lines must be: both of the checks above. */
int lammps_check_lines (const char *text, size_t len, const char *name,
                        const struct json *for_each, struct error *err);

/* Append "Si C": for people it is one word per type, in a line one text. */
void lammps_add_elements (const struct strvec *elements, struct strbuf *out);

/* Append the lines down to the box: it is read from 'data_file'. */
void lammps_add_header (const char *data_file, bool is_skewed,
                        struct strbuf *out);

/* Append pair_style and pair_coeff of member 'k' of the links. */
int lammps_add_pair (const struct lammps_setup *setup, size_t k,
                     struct strbuf *out, struct error *err);

/* Append the MD's input: our lines, then the user's as they stand. */
int lammps_format_md (const struct lammps_setup *setup, const char *lines,
                      size_t len, struct strbuf *out, struct error *err);

/* Append the input that computes the forces of every member along the
 * trajectory at 'trajectory_path', in one LAMMPS run.
 */
int lammps_format_rerun (const struct lammps_setup *setup,
                         const char *trajectory_path, const char *forces_dir,
                         struct strbuf *out, struct error *err);

/* Write a data file of the frame, in the axes of LAMMPS (lammps_axes.h). */
int lammps_write_frame (const struct frame *frame,
                        const struct strvec *elements, const char *path,
                        struct error *err);

/* Write the MD's input, md.in, and what it starts from. */
int lammps_write_md (const struct lammps_setup *setup,
                     const struct frame *start, const char *lines, size_t len,
                     struct error *err);

/* The trajectory is what of the MD's dump can be computed again
 * (formats/lammps/whole_frames.h).
 */
int lammps_keep_frames (struct exploration *e, struct error *err);

/* What the kits of both kinds of committee have. */
#define LAMMPS_EXPLORE                                                         \
    .code = &lammps_code, .program = "lammps", .scan = lammps_scan_lines,      \
    .keys = lammps_keys, .variable = "variable",                               \
    .check_template = lammps_check_lines, .doubt_template = lammps_doubt_md,   \
    .md_name = "md.in", .log = "md.out", .keep_frames = lammps_keep_frames

#endif /* !OPERATORS_LAMMPS_LAMMPS_H */
