/* SPDX-License-Identifier: BSD-3-Clause */
/* stacked_outputs.h - what all tasks of a stage made, output by output */
#ifndef ENGINE_STACKED_OUTPUTS_H
#define ENGINE_STACKED_OUTPUTS_H

struct engine;
struct port;
struct stage;
struct stage_place;
struct stage_state;
struct tries_summary;

/* Of which stage, and where it goes; all lent. */
struct stacking {
    struct engine *engine;
    const struct stage *stage;
    const struct stage_place *place;
    const struct stage_state *state;
    struct json *outputs;   /* {NAME: value}, with holes */
    struct json *artifacts; /* {NAME: artifact_record_of}, or lists of them */
    struct json *seen;      /* {PATH: how the artifact there looks} */
    struct json *versions;  /* {LINE: TASKS} (version_lines.h) */
    struct tries_summary *tries; /* told of all tries; or NULL */
};

/* From the results of tasks that are ok, each of which is compared with what
 * was recorded of it.  What is lost is an error that names the redo that makes
 * it again.
 */
int stack_outputs (const struct stacking *stacking, struct error *err);

/* {bytes, sha256} of an artifact that 'checked' tells of, and of a directory
 * its files ('files') if no result.json has them.  Caller unrefs.
 */
struct json *artifact_record_of (const struct port *port,
                                 const struct json *checked, bool files);

/* Add to 'seen' each file whose look is in 'result'. */
void seen_note (struct json *seen, const struct json *result,
                const char *out_dir);

#endif /* !ENGINE_STACKED_OUTPUTS_H */
