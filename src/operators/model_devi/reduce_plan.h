/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_plan.h - what model_devi.select asks of fanfold-reduce, and what it
 * makes of the answer
 */
#ifndef OPERATORS_MODEL_DEVI_REDUCE_PLAN_H
#define OPERATORS_MODEL_DEVI_REDUCE_PLAN_H

struct error;
struct json;
struct step_task;

/* Names in the task's directory. */
#define REDUCE_PLAN_FILE "plan.json"
#define REDUCE_ANSWER_FILE "reduced.json"

/* The plan (reduce/plan_file.h) for a task of model_devi.select.  Tasks of the
 * exploring stage that have no results are only counted.  NULL with 'err' when
 * lists differ in length or an input is out of range.  Caller unrefs.
 */
struct json *reduce_plan (const struct step_task *task, struct error *err);

/* The output parameters from the reducer's numbers (reduce/result.h): `frames`
 * is `total` here, and there is `proceed`.  Caller unrefs; NULL with 'err'.
 */
struct json *reduce_params (const struct json *answer, struct error *err);

#endif /* !OPERATORS_MODEL_DEVI_REDUCE_PLAN_H */
