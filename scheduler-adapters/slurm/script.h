/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - an array job as an sbatch script (pure) */
#ifndef SLURM_SCRIPT_H
#define SLURM_SCRIPT_H

#include "adapter.h"

/* As `render` of adapter.h.  REFUSED: a word of the profile cannot stand on a
 * #SBATCH line, or a directive would take away what we depend on.
 */
enum answer slurm_render (const struct array_job *job,
                          struct strbuf *script,
                          struct error *err);

/* Append the value of sbatch's --output: the file the script itself writes to,
 * or /dev/null where Slurm would see a pattern in the directory's name.
 */
void slurm_output (const struct array_job *job, struct strbuf *output);

#endif /* !SLURM_SCRIPT_H */
