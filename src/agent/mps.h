/* SPDX-License-Identifier: BSD-3-Clause */
/* mps.h - a private MPS daemon for a device that tasks share
 *
 * NVIDIA's Multi-Process Service lets processes of several tasks use a GPU at
 * the same time.  Its control daemon is started for one device of one element,
 * with directories of its own, so that no other job has part in it.  A
 * supervisor, which holds a pipe of the agent's, ends it: when the agent says
 * so, or is dead, also by SIGKILL.
 *
 * Clients are told to the daemon before they are killed (terminate_client):
 * else what becomes of the others is not defined.
 */
#ifndef AGENT_MPS_H
#define AGENT_MPS_H

struct mps {
    char *device;      /* as its slots name it */
    char *dir;         /* on this node */
    int pipe;          /* to the supervisor, which ends when it is closed */
    int done;          /* from it: closed when all is gone */
    struct strvec env; /* by which the control program finds the daemon */
};

/* Start the daemon of one device: 'environment' names it, as that of its slots
 * does.  NULL with 'err' where the control program is missing or fails.
 */
struct mps *mps_start (const char *device, char *const *environment,
                       struct error *err);

/* End it and wait until nothing of it is left; NULL is allowed. */
void mps_stop (struct mps *mps);

/* Append the settings of a task that is one of 'tasks' on the device. */
void mps_task_env (const struct mps *mps, int tasks, struct strvec *env);

/* Those of these processes that are clients are about to be killed. */
void mps_terminate (const struct mps *mps, const struct strvec *pids);

#endif /* !AGENT_MPS_H */
