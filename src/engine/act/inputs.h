/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs.h - from bindings to values
 *
 * Reading only: the state says which stages ran, the store holds what they
 * left.
 */
#ifndef ENGINE_INPUTS_H
#define ENGINE_INPUTS_H

struct outputs_store;
struct plan;
struct stage;
struct state;

/* {NAME: value} of everything bound, in the order of the signature; optional
 * inputs without a value are absent.  Lists of partly failed stages lose
 * their holes unless the port accepts them.  NULL with 'err'; caller unrefs.
 */
struct json *inputs_resolve (const struct plan *plan, const struct state *state,
                             struct outputs_store *outputs,
                             const struct stage *s, int iteration,
                             struct error *err);

/* Where the values of inputs that other stages have a part in come from:
 * {NAME: [{"stage", "output", "iterations": RANGE}]}.  Caller unrefs.
 */
struct json *inputs_sources (const struct plan *plan, const struct state *state,
                             const struct stage *s, int iteration);

#endif /* !ENGINE_INPUTS_H */
