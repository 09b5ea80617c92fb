/* SPDX-License-Identifier: BSD-3-Clause */
/* task_inputs.h - the inputs of one task, checked and made real */
#ifndef AGENT_TASK_INPUTS_H
#define AGENT_TASK_INPUTS_H

#include "agent/task_files.h"

/* Set *inputs to {NAME: value} as the task sees them: paths absolute, frames
 * cut out of their files into 'in_dir'.  Optional inputs that are not there
 * are left out.  Caller unrefs.
 */
enum prepared task_inputs (const struct task *task,
                           const char *in_dir,
                           struct json **inputs,
                           struct error *err);

#endif /* !AGENT_TASK_INPUTS_H */
