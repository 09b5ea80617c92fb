/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h - a machine file of DP-GEN as profiles of site.yaml
 *
 * The three stages become the profiles train, explore and label; those that
 * come out alike are one.  Passwords and user names are never copied.
 */
#ifndef IMPORT_MACHINE_H
#define IMPORT_MACHINE_H

struct draft;

enum import_stage { IMPORT_TRAIN, IMPORT_EXPLORE, IMPORT_LABEL, IMPORT_STAGES };

/* Where a stage runs, and what its tasks need. */
struct stage_machine {
    char *profile;
    struct json *task; /* `task:` of the stage; {}: the operator's */
    struct json
        *program;       /* argv of the stage's program; [] when none is told */
    struct json *files; /* what is copied to its tasks; NULL: nothing */
};

/* Of one stage, as DP-GEN and DPGEN2 both have it. */
struct machine_source {
    const char *profile; /* the name it is to have */
    const char *prefix;  /* of its keys in the report: "train." */
    const struct json *machine, *resources; /* dpdispatcher's; NULL: none */
    const char *command;                    /* NULL: none */
    const char *command_key;                /* what the report calls that */
};

/* Add the profile to the site file of 'draft', and say what became of the keys
 * of 'machine' and 'resources'.
 */
void machine_add_profile (struct draft *draft,
                          const struct machine_source *source,
                          struct stage_machine *out);

/* The stages of a whole machine file: api 1.0, with mappings or lists, or the
 * flat kind (train_machine, model_devi_resources ...).
 */
int machine_translate (const struct json *machine, struct draft *draft,
                       struct stage_machine stages[IMPORT_STAGES],
                       struct error *err);

void stage_machine_release (struct stage_machine *stage);

#endif /* !IMPORT_MACHINE_H */
