/* SPDX-License-Identifier: BSD-3-Clause */
/* operator.h - a typed kind of work
 *
 * An operator is data: a signature and up to three programs.  Built-in ones
 * are static tables in src/operators, a user's own are read from
 * campaign.yaml; nothing else in the program can tell them apart.  What they
 * and their ports are for is in fanfold-operators(7).
 *
 * Life of a stage: bind inputs -> [prepare, once, makes lists to slice over]
 * -> tasks = slices of fan_out -> per task: commands in the task's directory
 * -> [collect, once, over the stacked task outputs] -> the stage's outputs.
 *
 * Argv templates know these placeholders (another name in braces is an error;
 * braces that are text: template.h):
 *   {NAME}            an input, or a slice made by prepare; as a whole
 *                     argument a list becomes several
 *   {@NAME}           the path of a file with what {NAME} would become, one a
 *                     line (handover/list_file.h)
 *   {outputs.NAME}    where to write output artifact NAME (a path)
 *   {outputs.params}  where to write output parameters (a JSON object)
 *   {outputs.slices}  prepare only: where to write {"NAME": [..], ..}
 *   {seed} {iteration} {campaign} (the directory) {fanfold} (this program)
 *   and, of a task only, {task} {cores} {ranks} {cores_per_rank}
 *   {nodes} {ranks_per_node} {gpus} {memory_bytes} and
 *   {launcher}        the profile's launcher argv (nothing when ranks is 1)
 *   {restart}         "true" where files of an earlier try lie in the working
 *                     directory ('checkpoint'), else "false"
 */
#ifndef SIGNATURE_OPERATOR_H
#define SIGNATURE_OPERATOR_H

#include "signature/resources.h"
#include "signature/type.h"

struct group_spec;

/* What is known of an input when its port checks it. */
struct known_input {
    const char *name;
    const struct json *value;    /* never null */
    const struct json *others;   /* {NAME: value} of all inputs that are known
                                    already, in their sections; paths of
                                    artifacts resolved */
    const char *const *elements; /* the campaign's, NULL-terminated; NULL: not
                                    known */
    const char *dir; /* the campaign's: other paths are relative to it */
    int ranks;       /* of a task; 0: not known */
    const struct json *sources; /* {INPUT: OUTPUT} of those that another stage
                                   makes; NULL: not known */
};

/* How long an output stays that nothing that may still run needs. */
enum { KEEP_ALWAYS = 0, KEEP_UNTIL_USED = -1 };

struct port {
    const char *name; /* [a-z][a-z0-9_]*, of inputs also SECTION.NAME
                         (section.h); NULL terminates a table */
    struct type type;
    const char *default_json; /* inputs: used when unbound, or when the stage
                                 that 'from' names was skipped; NULL: required
                                 (unless optional) */
    const char *from; /* inputs: default binding text, e.g. "elements" */
    bool optional;    /* inputs: may be unbound, then absent.
                         outputs: a task may leave it out (becomes null) */
    bool holes;       /* inputs: accepts null elements of partly failed stages;
                         otherwise they are removed in lockstep */
    bool copy;        /* artifact inputs: a task has a copy of its own, which it
                         may write to */
    bool publish;     /* frames outputs of a stage: copied to dataset/ */
    const char *path; /* artifact outputs: name below out/; NULL: the port's
                         name, with ".extxyz" for frames, ".npy" for npy */
    const char *take; /* artifact outputs: the name in the working directory
                         that is moved there; NULL: it is written there */
    int keep;         /* artifact outputs: KEEP_ALWAYS, KEEP_UNTIL_USED, or for
                         how many iterations */

    const char *each_of; /* outputs, lists: one item for each of this input */
    bool committee; /* inputs: the innermost list has an item for each member of
                       a committee, of which there are two or more */
    bool program;   /* inputs: an argv, whose program must be there */

    /* Inputs with a default: it is also used where the stage that 'from' names
     * is not there or has no such output, which is an error otherwise.  Not for
     * inputs that users declare: a slip would pass.
     */
    bool from_if_made;

    /* Inputs: what they must satisfy beyond their type; NULL: nothing.  Asked
     * when the campaign is compiled, for inputs no other stage has a part in,
     * so that a slip in a late stage does not cost the early ones.  0, or -1
     * with 'err' "INPUT: what; what to do".  May read files; starts and writes
     * nothing.
     */
    int (*check) (const struct known_input *input, struct error *err);

    /* Inputs: append "INPUT: what; what to do", a line each, where a value that
     * is good looks as if it were not meant.  Asked like 'check', after it;
     * NULL: never.
     */
    void (*doubt) (const struct known_input *input, struct strbuf *says);

    /* Inputs: the default, as JSON, where it follows from other inputs (which
     * have no such default themselves), 'known' as in struct known_input; NULL:
     * there is none.  Asked once, when the campaign is compiled.
     */
    const char *(*default_of) (const char *name, const struct json *known);
};

/* What other programs, or people by mistake, call an input, and what to write.
 */
struct other_name {
    const char *theirs; /* NULL terminates a table */
    const char *ours;   /* "pick: {quota: N}" */
};

/* Another table of the same operator. */
struct operator_variant {
    const char *value; /* NULL terminates a table */
    const struct operator_spec *op;
};

struct operator_spec {
    const char *name; /* "qe.label"; two or more words joined by dots */
    const char *code; /* "qe": the <code> component of data space paths */
    int version;      /* raised when the same inputs give another result; 0: is
                         not stated.  Results of another version count no more
                         (act/identity.h) */
    const struct port *inputs; /* name == NULL terminated, may be NULL */
    const struct other_name *other_names; /* of inputs; NULL: none */
    const struct port *outputs;           /* of one task */
    const struct port *slices;            /* made by prepare: element types */
    const struct port *collected;         /* made by collect: the stage's */
    const char *const *fan_out; /* inputs sliced in lockstep; NULL: none */
    const char *const *prepare; /* one argv template; NULL: none */
    const char *prepare_script; /* text that it runs, or NULL */
    /* How many tasks prepare makes of inputs of which none comes from another
     * stage, {NAME: value}, of the campaign in 'dir'; -1: that is not known.
     * NULL: never.
     */
    int64_t (*count_tasks) (const struct json *inputs, const char *dir);
    /* How many frames a task writes to its one output of frames, of such
     * inputs; -1: that is not known.  NULL: never.
     */
    int64_t (*count_frames) (const struct json *inputs, const char *dir);
    const char *const *const *commands; /* NULL-terminated list of argvs */
    const char *script;                 /* text that 'commands' run; NULL */
    const struct group_spec *group;     /* what 'commands' run; NULL: none */
    bool worker; /* 'commands' is one, which is started once and given tasks
                    (fanfold-worker(7)) */
    const char *const *collect; /* NULL: outputs are just stacked */
    const char *collect_script; /* text that it runs, or NULL */
    const char *image;          /* that all these run in: a path seen from the
                                   campaign, or docker://...; NULL: none */
    const char *const *env;     /* "NAME=VALUE" that they have; NULL: nothing */
    bool not_reused;  /* what its tasks make is taken for no other task's */
    bool writes_text; /* what its inputs say comes to stand in files of a code:
                         text of them is one line (operator_check_text) */
    const char *const *files; /* paths, relative to the campaign: part of what
                                 it does, beside those its commands name;
                                 NULL-terminated, or NULL */
    const char *programs;     /* the directory, one of 'files', of a copy of
                                 which it runs (programs.h); NULL: none */
    const int *fatal_exits;   /* 0-terminated: exit codes never retried; NULL */
    const int *broken_exits;  /* the same, of commands that something around
                                 them broke off: what they left may be gone on
                                 from, as after a signal; NULL */
    const char *const *checkpoint; /* patterns of files that a try which was cut
                                      short leaves for the next one; NULL: it
                                      begins anew */
    bool keeps_logs; /* what a task printed lies beside its `out` */
    const char *const *input_files; /* patterns of files of the working
                                       directory that lie there, too, in `in`;
                                       NULL: none */
    const char *version_line;    /* the line in which the code tells its version
                                    begins so (agent/version_line.h); NULL: not
                                    known */
    const char *const *versions; /* a task's version line has one of these
                                    texts in it, or its result counts nothing;
                                    NULL: any */
    bool leaves_raw; /* tasks put what their code left, for people to read,
                        into the directory `raw` that task.json tells of */
    const char *const *reads; /* what of task.json, seed, task,
                                 iteration, the commands read besides those
                                 they name; NULL: nothing */
    struct resources needs;   /* defaults; zero fields: unstated */
    const char *const *steps; /* names of the stages that one with a
                                 super-operator stands for, NULL-terminated:
                                 nothing is run as such, and 'collected' are
                                 its outputs; NULL: tasks run */
    const char *chosen_by; /* an input by whose value, where a stage writes it
                              in with:, one of 'variants' is what the stage
                              uses: of the same name, with other ports.  NULL:
                              there are none */
    const struct operator_variant *variants;
};

/* Placeholders that are no input and no output, NULL-terminated: those of a
 * task's commands, "seed", "task", ...; those of them that are the same for all
 * tasks, which a worker's command has; what only programs of a group have
 * besides (group.h); those of prepare and collect; those of a launcher, which
 * knows the shape of a task and where it runs; those of what starts the agents
 * of several nodes.
 */
extern const char *const operator_placeholders[];
extern const char *const operator_worker_placeholders[];
extern const char *const operator_group_placeholders[];
extern const char *const operator_front_placeholders[];
extern const char *const operator_launcher_placeholders[];
extern const char *const operator_agents_placeholders[];

/* What is written for a port's 'keep': "always", "until_used", "2". */
void keep_text (int keep, struct strbuf *text);

/* How many rows the table has; NULL: none. */
size_t port_count (const struct port *ports);

/* The port called 'name' in a NULL-terminated table ('ports' may be NULL), or
 * NULL.
 */
const struct port *port_find (const struct port *ports, const char *name);

/* Is the input an int that is among those sliced (NULL: none)?  Bound to a
 * number N it stands for 0 to N-1.
 */
bool port_counts (const struct port *port, const char *const *fan_out);

/* True when the stage has one output per task (stacked), i.e. the operator
 * slices anything.
 */
bool operator_fans_out (const struct operator_spec *op);

/* Type of output 'name' as other stages see it: a collected one as declared,
 * else a task's, stacked when the operator fans out; also the implicit "count"
 * (int) and "proceed" (bool).  False when there is no such output.
 */
bool operator_output_type (const struct operator_spec *op, const char *name,
                           struct type *type);

/* Append the names of all of them. */
void operator_output_names (const struct operator_spec *op,
                            struct strvec *names);

/* The variant for 'value' of the input 'chosen_by' (NULL: it is not written),
 * else 'op' itself.
 */
const struct operator_spec *operator_variant_for (
    const struct operator_spec *op, const char *value);

/* Ask input 'port' about its value among those of 'known', which needs neither
 * a name nor a value, if that is known.
 */
int port_check (const struct port *port, const struct known_input *known,
                struct error *err);

/* Where the operator writes text: has 'value' of input 'name' no line break and
 * no control character?  What follows one would be a line of its own of a
 * code's input.  The words of a program are none of its text.
 */
int operator_check_text (const struct operator_spec *op, const char *name,
                         const struct json *value, struct error *err);

/* Has 'line', in which a code told its version (NULL: it did not), one of the
 * texts 'versions' (NULL: any will do)?
 */
bool operator_takes_version (const char *const *versions, const char *line);

/* Does it start ranks: mpirun, srun and the like, with a path or without? */
bool program_is_launcher (const char *word);

/* What looks wrong with it is appended to 'says', if anything does. */
void port_doubt (const struct port *port, const struct known_input *known,
                 struct strbuf *says);

#endif /* !SIGNATURE_OPERATOR_H */
