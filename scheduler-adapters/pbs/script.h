/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - an array job as a script for qsub (pure) */
#ifndef PBS_SCRIPT_H
#define PBS_SCRIPT_H

#include "adapter.h"

/* As `render` of adapter.h, in the words of OpenPBS and PBS Professional, and
 * in those of TORQUE.
 */
enum answer pbs_render (const struct array_job *job,
                        struct strbuf *script,
                        struct error *err);
enum answer torque_render (const struct array_job *job,
                           struct strbuf *script,
                           struct error *err);

#endif /* !PBS_SCRIPT_H */
