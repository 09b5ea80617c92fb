/* SPDX-License-Identifier: BSD-3-Clause */
/* input_watch.h - are the files of the inputs the same before and after?
 *
 * Modes keep tasks from writing to inputs, but not root's tasks, and not to
 * what the user owns.  So the files of each input artifact are looked at
 * (device, inode, size, mtime) before the first task of the element that uses
 * it begins, and when the last one that uses it is over: twice an element,
 * however many tasks there are.
 */
#ifndef AGENT_INPUT_WATCH_H
#define AGENT_INPUT_WATCH_H

struct assignment;
struct input_watch;

/* 'assignment' is lent.  Nothing is looked at yet.  Never NULL. */
struct input_watch *input_watch_create (const struct assignment *assignment);
void input_watch_destroy (struct input_watch *watch);

/* The task at 'index' in the bundle, number 'task', begins. */
void input_watch_begin (struct input_watch *watch, size_t index, int task);

enum input_change {
    INPUT_SAME,
    INPUT_CHANGED,       /* whoever did it: 'err' names the file and the tasks
                            that ran here in the meantime */
    INPUT_CHANGED_ALONE, /* no other task of the stage is there to have done it
                          */
};

/* The same task is over, and its processes are gone, or will not begin: look
 * again at what no other task of this element is still to use.
 */
enum input_change input_watch_end (struct input_watch *watch, size_t index,
                                   int task, struct error *err);

#endif /* !AGENT_INPUT_WATCH_H */
