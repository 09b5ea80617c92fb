/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs_compare.h - are a stage's inputs still what it was prepared with?
 *
 * Its tasks have read them since.  Of what other stages made that is known; of
 * a user's files there are copies (input_copies.h).
 */
#ifndef ENGINE_INPUTS_COMPARE_H
#define ENGINE_INPUTS_COMPARE_H

struct engine;
struct stage;

/* 'values': of the inputs that are not sliced, as stage.json has them; the
 * slices of 'n_tasks' are read from 'stage_dir'.  0; -1 with 'err', which names
 * the first file that differs and says what to do.
 */
int inputs_compare (struct engine *engine, const struct stage *stage,
                    const char *stage_dir, const struct json *values,
                    int32_t n_tasks, struct error *err);

#endif /* !ENGINE_INPUTS_COMPARE_H */
