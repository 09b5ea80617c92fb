/* SPDX-License-Identifier: BSD-3-Clause */
/* call_result.h - what a call of a function made */
#ifndef ENGINE_CALL_RESULT_H
#define ENGINE_CALL_RESULT_H

#include "base/digest.h"

struct engine;
struct family;
struct operator_spec;

/* The outputs of the call that 'engine' (without a plan, too) is open on: those
 * of the stage called as the function, or, of a super-operator, what 'family'
 * (else NULL) says, with paths relative to the call.  NULL with 'err' when they
 * cannot be read; caller unrefs.
 */
struct json *call_outputs (struct engine *engine, const char *function,
                           const struct family *family, struct error *err);

/* {NAME: value} of the declared outputs of 'op', in their order; paths relative
 * to the campaign whose function it is.  Caller unrefs.
 */
struct json *call_result (const struct operator_spec *op,
                          const struct json *outputs, const char *function,
                          int number);

/* A name for the result, which another result does not have: the digest of each
 * outputs.json that it is from, and of the call's own id.
 */
int call_result_id (struct engine *engine, const char *function,
                    const struct family *family, char hex[DIGEST_HEX_SIZE],
                    struct error *err);

#endif /* !ENGINE_CALL_RESULT_H */
