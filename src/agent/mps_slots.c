/* SPDX-License-Identifier: BSD-3-Clause */
/* mps_slots.c - the MPS daemons of an element */
#include "base/base.h"

#include <sys/prctl.h>

#include "agent/mps.h"
#include "agent/mps_slots.h"
#include "placement/slots.h"

/* Settings of 'more' before the others, of which one that is set twice goes. */
static void prefer (struct strvec *env, const struct strvec *more)
{
    struct strvec merged = STRVEC_INIT;

    strvec_push_all (&merged, more->v);
    for (size_t i = 0; i < env->n; i++) {
        size_t len = strcspn (env->v[i], "=") + 1;
        bool set = false;

        for (size_t k = 0; k < more->n; k++)
            set = set || strncmp (more->v[k], env->v[i], len) == 0;
        if (!set)
            strvec_push (&merged, env->v[i]);
    }
    strvec_release (env);
    *env = merged;
}

/* The daemon of a slot's device, started by the first slot that has it. */
static struct mps *mps_of (struct mps **mps, const struct slot *slot,
                           struct error *err)
{
    size_t n = 0;

    while (mps[n] && strcmp (mps[n]->device, slot->gpus) != 0)
        n++;
    if (!mps[n])
        mps[n] = mps_start (slot->gpus, slot->env.v, err);
    return mps[n];
}

/* Not our descendants: those we end when tasks have ended. */
int mps_slots_start (struct slots *slots, int tasks, struct mps ***mps,
                     struct error *err)
{
    int rc = 0;

    *mps = xcalloc (slots->n + 1, sizeof (**mps));
    prctl (PR_SET_CHILD_SUBREAPER, 0);
    for (size_t i = 0; rc == 0 && i < slots->n; i++) {
        struct slot *slot = &slots->v[i];
        _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
        struct mps *daemon = *slot->gpus ? mps_of (*mps, slot, err) : NULL;

        rc = *slot->gpus && !daemon ? -1 : 0;
        if (daemon)
            mps_task_env (daemon, tasks, &env);
        prefer (&slot->env, &env);
    }
    prctl (PR_SET_CHILD_SUBREAPER, 1);
    return rc;
}

void mps_slots_stop (struct mps **mps)
{
    for (size_t i = 0; mps && mps[i]; i++)
        mps_stop (mps[i]);
    free (mps);
}
