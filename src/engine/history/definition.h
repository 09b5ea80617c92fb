/* SPDX-License-Identifier: BSD-3-Clause */
/* definition.h - which plan a campaign goes by (the rest is in engine.h)
 *
 * The files may be edited at any time, and each plan that was taken on is
 * recorded (config.json).  The newest one holds; but a stage that was prepared
 * under an earlier one keeps what its results depend on until it has ended.
 */
#ifndef ENGINE_DEFINITION_H
#define ENGINE_DEFINITION_H

struct engine;

/* Give everything back; legal before a plan was taken. */
void definition_close (struct engine *engine);

/* Iterations were undone: their configurations will be others. */
void definition_forget_recorded (struct engine *engine);

#endif /* !ENGINE_DEFINITION_H */
