/* SPDX-License-Identifier: BSD-3-Clause */
/* selection_data.h - lists in task.json, and the sections that hold some
 * (selection_input.h)
 */
#ifndef REDUCE_SELECTION_DATA_H
#define REDUCE_SELECTION_DATA_H

struct json;
struct selection_input;

/* Set *list, lent; absent or null is NULL, which counts as empty. */
int input_list (const struct json *inputs, const char *key,
                const struct json **list, struct error *err);

/* Push a list of texts, none of which is empty. */
int input_texts (const struct json *inputs, const char *key,
                 struct strvec *texts, struct error *err);

/* Element i of a list of paths, lent. */
int input_path (const struct json *list, size_t i, const char **path,
                struct error *err);

/* Sections of input->inputs; the trajectories have been read. */
int input_read_features (struct selection_input *input, struct error *err);
int input_read_health (struct selection_input *input, struct error *err);
int input_read_calibration (struct selection_input *input, struct error *err);

#endif /* !REDUCE_SELECTION_DATA_H */
