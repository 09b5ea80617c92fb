/* SPDX-License-Identifier: BSD-3-Clause */
/* publish.h - labelled data into dataset/<format>/iter/<iter>/ */
#ifndef ENGINE_PUBLISH_H
#define ENGINE_PUBLISH_H

struct engine;
struct stage;
struct stage_place;

/* Write the outputs the operator marks `publish` (unless the stage says
 * publish: false) in every form of formats/dataset_writer.h, as
 * dataset/<form>/iter/<iter>; with them what other stages published in this
 * iteration, so that the order in which stages end makes no difference.
 * Nothing is written when the stage has no frames.  0;
 * 1 with 'err' when the frames are not fit to train on; -1.  'published' (an
 * object) gets {FORM: SHA256} of what was written.
 */
int publish_dataset (struct engine *engine, const struct stage *stage,
                     const struct stage_place *place,
                     const struct json *outputs, struct json *published,
                     struct error *err);

/* Write the training data of an iteration anew, from the stages of the plan
 * that are done there; nothing where they have none.
 */
int publish_iteration (struct engine *engine, int iteration,
                       struct json *published, struct error *err);

#endif /* !ENGINE_PUBLISH_H */
