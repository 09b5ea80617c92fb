/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.h - may jobs drive the campaign, and are they to? */
#ifndef ENGINE_CHAIN_H
#define ENGINE_CHAIN_H

struct engine;

/* Can jobs drive this campaign: does every scheduler of the plan let a job wait
 * for another, and do submit limits allow dependency jobs besides?
 */
int chain_possible (struct engine *engine, struct error *err);

/* As the driver: are jobs to drive it from now on? */
int chain_turn (struct engine *engine, bool on, struct error *err);

#endif /* !ENGINE_CHAIN_H */
