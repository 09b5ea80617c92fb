/* SPDX-License-Identifier: BSD-3-Clause */
/* node_gpus.h - the devices of this node, shared by all jobs of a user
 *
 * SPOOL/gpus/<device> is flocked by whoever hands a device out; a process that
 * dies gives its devices back.  A device is called by its PCI address or, where
 * that is not known, as it was named to us.  Taking several is all or nothing,
 * under SPOOL/gpus/mutex, so two takers never wait for each other's half.
 */
#ifndef PLACEMENT_NODE_GPUS_H
#define PLACEMENT_NODE_GPUS_H

struct node_shape;

struct gpus {
    int *devices; /* indexes into the shape's */
    int *fds;     /* their locks */
    size_t n;
    int mutex; /* held while 'n' is not final; -1 */
};

#define GPUS_INIT                                                              \
    {                                                                          \
        NULL, NULL, 0, -1                                                      \
    }

/* Where this node's locks are: FANFOLD_SPOOL, else /var/tmp/fanfold-UID.  The
 * caller frees it.
 */
char *node_spool (void);

/* This node with the devices that this process may use: those that variables
 * name, else all.
 */
int node_gpus_load (struct node_shape *shape, struct error *err);

/* Take all devices that are free, if they are 'least' or more (1: not now).
 * No other takes any before gpus_keep says which of them are needed.
 */
int gpus_take_free (const char *spool, const struct node_shape *shape,
                    size_t least, struct gpus *gpus, struct error *err);
void gpus_keep (struct gpus *gpus, const bool *needed); /* by device */

/* Take 'n' devices (all there are, when there are fewer).  1: not now. */
int gpus_take (const char *spool, const struct node_shape *shape, int n,
               struct gpus *gpus, struct error *err);
void gpus_give (struct gpus *gpus);

#endif /* !PLACEMENT_NODE_GPUS_H */
