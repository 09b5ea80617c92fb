/* SPDX-License-Identifier: BSD-3-Clause */
/* training_input.h - an input.json of DeePMD-kit as the template of
 * deepmd.train
 */
#ifndef IMPORT_TRAINING_INPUT_H
#define IMPORT_TRAINING_INPUT_H

struct key_report;

/* Say which settings of 'given', at 'prefix' ("default_training_param."), that
 * change what is learned are not in the template of it.
 */
void training_input_say (const struct json *given, const char *prefix,
                         struct key_report *report);

/* A copy of 'given' without what deepmd.train completes (systems, seeds, names
 * of files, type_map).  'held_out' (an array, or NULL) gets the systems of its
 * validation data.  The caller unrefs.
 */
struct json *training_input_template (const struct json *given,
                                      struct json *held_out);

/* Set the batch size where that input has it, unless it says "mixed:N". */
void training_input_set_batch (struct json *input, struct json *size);

#endif /* !IMPORT_TRAINING_INPUT_H */
