/* SPDX-License-Identifier: BSD-3-Clause */
/* hyperparams.h - what --hyperparam K=V says, as arguments of a training (pure)
 */
#ifndef QUICK_HYPERPARAMS_H
#define QUICK_HYPERPARAMS_H

struct hyperparam {
    char *name;
    struct strvec values; /* none: a flag */
};

/* In the order in which they were named first. */
struct hyperparams {
    struct hyperparam *v;
    size_t n, alloc;
};

#define HYPERPARAMS_INIT                                                       \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

void hyperparams_release (struct hyperparams *all);

/* "K=V"; "K" and "K=" are a flag, which is one however often it is
 * said.  The same name with a value again makes a list.  -1 with
 * 'err': there is no name, or one is a flag here and has a value there.
 */
int hyperparams_add (struct hyperparams *all, const char *text,
                     struct error *err);

/* The name with one more value. */
int hyperparams_add_value (struct hyperparams *all, const char *name,
                           const char *value, struct error *err);

/* How they are written. */
struct hyperparam_style {
    const char *prefix;    /* before the name: "--", "+", "++" or "" */
    const char *delimiter; /* between name and value; NULL: the value is an
                              argument of its own */
};

/* What --prefix and --delimiter say; "none" is no prefix, "blank" and " " are
 * arguments of their own.  NULL is the default: "--" and a blank.  The style
 * borrows from both.
 */
int hyperparam_style_read (const char *prefix, const char *delimiter,
                           struct hyperparam_style *style, struct error *err);

/* Append them: "--lr 1 2", and with a delimiter "--lr=1 --lr=2". */
void hyperparams_argv (const struct hyperparams *all,
                       const struct hyperparam_style *style,
                       struct strvec *argv);

#endif /* !QUICK_HYPERPARAMS_H */
