/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_messages.c - what others leave for a driver: a lock file, a request,
 * state.json, a beat
 *
 * Every input is tried as all of them at once: a driver must take over from
 * whoever it is (nobody on this machine), journal the request once whatever it
 * asks for, and leave a journal that can be read.
 */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/drive/requests.h"
#include "fuzz.h"
#include "fuzz_dir.h"
#include "signature/operator.h"
#include "space/layout.h"
#include "space/lease.h"

static const struct operator_spec an_op = { .name = "x.any", .code = "x" };
static struct stage stages[] = { { .name = "label", .op = &an_op },
                                 { .name = "train", .op = &an_op } };

static void begin (const uint8_t *data, size_t size)
{
    static const char *const dirs[] = { ".fanfold/lock", ".fanfold/requests" };
    static const char *const files[] = { ".fanfold/lock/3",
                                         ".fanfold/lock/beat",
                                         ".fanfold/requests/1-x",
                                         "state.json" };
    char *own = path_join (fuzz_dir (), ".fanfold");

    must_hold (file_remove_tree (own, NULL, NULL) == 0,
               "a directory can be removed");
    free (own);
    for (size_t i = 0; i < 2; i++) {
        char *path = path_join (fuzz_dir (), dirs[i]);

        must_hold (file_make_dirs (path, NULL) == 0, "a directory can be made");
        free (path);
    }
    for (size_t i = 0; i < 4; i++)
        fuzz_file (files[i], data, size);
}

static void must_be_readable (const struct plan *plan, int64_t n)
{
    struct engine engine;

    must_hold (engine_open (&engine, plan->dir, "fanfold", NULL) == 0,
               "the journal can be read");
    must_hold (engine.position.n == n, "to its end");
    engine_close (&engine);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const struct plan plan = {
        .dir = fuzz_dir (), .name = "c", .stages = stages, .n_stages = 2
    };
    struct lease_holder holder;
    struct engine engine;
    int64_t n;

    setenv ("FANFOLD_LEASE_S", "0.000001", 1);
    begin (data, size);
    must_hold (lease_peek (plan.dir, &holder, NULL) == 0, "one can look");
    must_hold (engine_open (&engine, plan.dir, "fanfold", NULL) == 0,
               "a checkpoint only saves time");
    engine_take_plan (&engine, &plan);
    must_hold (engine_take_lease (&engine, NULL) == 0,
               "a holder that is nobody is replaced");
    must_hold (lease_epoch (engine.lease) == 4, "terms grow");
    must_hold (requests_carry_out (&engine, NULL) == 1, "a request is obeyed");
    must_hold (requests_waiting (plan.dir) == 0, "... once");
    n = engine.position.n;
    engine_close (&engine);
    must_be_readable (&plan, n);
    return 0;
}
