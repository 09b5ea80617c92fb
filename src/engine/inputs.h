/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs.h - from bindings to values
 *
 * Reading only: the state says which stages ran, the store holds what they
 * left.
 */
#ifndef ENGINE_INPUTS_H
#define ENGINE_INPUTS_H

struct error;
struct json;
struct outputs_store;
struct plan;
struct stage;
struct state;
struct strbuf;

enum readiness {
    INPUTS_READY,
    INPUTS_WAIT, /* a stage it depends on has not ended */
    INPUTS_SKIP, /* a required source was skipped or says not to proceed */
};

/* Can stage 's' of iteration 'iteration' be bound?  For SKIP, 'why' becomes a
 * sentence for a person.
 */
enum readiness inputs_readiness (const struct plan *plan,
                                 const struct state *state,
                                 const struct stage *s,
                                 int iteration,
                                 struct strbuf *why);

/* {NAME: value} of everything bound, in the order of the signature; optional
 * inputs without a value are absent.  Lists of partly failed stages lose
 * their holes unless the port accepts them.  NULL with 'err'; caller unrefs.
 */
struct json *inputs_resolve (const struct plan *plan,
                             const struct state *state,
                             struct outputs_store *outputs,
                             const struct stage *s,
                             int iteration,
                             struct error *err);

/* Value of the expression name 'name' (STAGE.OUTPUT, previous.STAGE.OUTPUT,
 * iteration); NULL where there is none.  Caller unrefs.
 */
struct json *inputs_lookup (const struct plan *plan,
                            const struct state *state,
                            struct outputs_store *outputs,
                            int iteration,
                            const char *name);

#endif /* !ENGINE_INPUTS_H */
