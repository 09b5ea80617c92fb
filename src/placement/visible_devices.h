/* SPDX-License-Identifier: BSD-3-Clause */
/* visible_devices.h - the devices that this process was given (pure)
 *
 * Schedulers name them in CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES,
 * HIP_VISIBLE_DEVICES, ZE_AFFINITY_MASK or GPU_DEVICE_ORDINAL, in numbers,
 * UUIDs or names of partitions (MIG).  One that is named twice is one device.
 * What an entry means only the runtime knows for sure (numbers count what the
 * cgroup shows); so entries are handed on as they are, and where a device is
 * serves to choose cores. FANFOLD_NODE_GPUS, set by the script of a job, tells
 * the numbers that they have on the node.
 */
#ifndef PLACEMENT_VISIBLE_DEVICES_H
#define PLACEMENT_VISIBLE_DEVICES_H

struct node_shape;

/* Make the devices of 'shape' those that the variables in 'environment'
 * ("NAME=value", NULL-terminated) name, in their order: what is known of such a
 * device stays; one of which nothing is known has its entry for an address and
 * is beside all cores.  Where no variable is set all stay.
 */
void visible_devices_apply (char *const *environment, struct node_shape *shape);

/* Does a variable name this process's devices? */
bool visible_devices_are_named (char *const *environment);

/* Could one, those of this node? */
bool visible_devices_have_names (const struct node_shape *shape);

/* Append the settings by which a program sees these devices of 'shape' (after
 * visible_devices_apply with the same environment) and no other, and by which
 * one that hands them out knows where they are.  Nothing where a node has no
 * devices and no variable is set.
 */
void visible_devices_env (char *const *environment,
                          const struct node_shape *shape, const int *gpus,
                          size_t n, struct strvec *env);

#endif /* !PLACEMENT_VISIBLE_DEVICES_H */
