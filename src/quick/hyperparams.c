/* SPDX-License-Identifier: BSD-3-Clause */
/* hyperparams.c - what --hyperparam K=V says, as arguments of a training */
#include "base/base.h"

#include "quick/hyperparams.h"

void hyperparams_release (struct hyperparams *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free (all->v[i].name);
        strvec_release (&all->v[i].values);
    }
    free (all->v);
    *all = (struct hyperparams)HYPERPARAMS_INIT;
}

/* The one with the name of 'len' bytes; a new one has '*isnew' set. */
static struct hyperparam *find_or_make (struct hyperparams *all,
                                        const char *name, size_t len,
                                        bool *isnew)
{
    struct hyperparam *one;

    *isnew = false;
    for (size_t i = 0; i < all->n; i++) {
        if (strlen (all->v[i].name) == len
            && memcmp (all->v[i].name, name, len) == 0)
            return &all->v[i];
    }
    *isnew = true;
    all->v = grow_array (all->v, all->n, &all->alloc, sizeof (*all->v));
    one = &all->v[all->n++];
    one->name = xstrndup (name, len);
    strvec_init (&one->values);
    return one;
}

/* 'value' NULL: a flag. */
static int add (struct hyperparams *all, const char *name, size_t len,
                const char *value, struct error *err)
{
    bool isnew;
    struct hyperparam *one;

    if (len == 0)
        return error_set (err,
                          "'=%s' has no name; write NAME=VALUE, or NAME "
                          "for a flag",
                          value ? value : "");
    one = find_or_make (all, name, len, &isnew);
    if (!isnew && (value == NULL) != (one->values.n == 0))
        return error_set (err,
                          "'%s' is a flag once and has a value once; write one "
                          "of both",
                          one->name);
    if (value)
        strvec_push (&one->values, value);
    return 0;
}

int hyperparams_add (struct hyperparams *all, const char *text,
                     struct error *err)
{
    size_t len = strcspn (text, "=");
    const char *value = text[len] && text[len + 1] ? text + len + 1 : NULL;

    return add (all, text, len, value, err);
}

int hyperparams_add_value (struct hyperparams *all, const char *name,
                           const char *value, struct error *err)
{
    return add (all, name, strlen (name), value, err);
}

int hyperparam_style_read (const char *prefix, const char *delimiter,
                           struct hyperparam_style *style, struct error *err)
{
    static const char *const prefixes[] = { "--", "+", "++", "", "none", NULL };

    if (prefix && !words_contain (prefixes, prefix))
        return error_set (err, "--prefix '%s': write --, +, ++ or none",
                          prefix);
    if (delimiter && !*delimiter)
        return error_set (err, "--delimiter '': write blank, or what stands "
                               "between name and value, such as =");
    style->prefix = !prefix ? "--" : strcmp (prefix, "none") == 0 ? "" : prefix;
    style->delimiter = !delimiter || strcmp (delimiter, " ") == 0
                               || strcmp (delimiter, "blank") == 0
                           ? NULL
                           : delimiter;
    return 0;
}

static void add_argv (const struct hyperparam *one,
                      const struct hyperparam_style *style, struct strvec *argv)
{
    if (!style->delimiter || one->values.n == 0)
        strvec_pushf (argv, "%s%s", style->prefix, one->name);
    for (size_t i = 0; i < one->values.n; i++) {
        if (style->delimiter)
            strvec_pushf (argv, "%s%s%s%s", style->prefix, one->name,
                          style->delimiter, one->values.v[i]);
        else
            strvec_push (argv, one->values.v[i]);
    }
}

void hyperparams_argv (const struct hyperparams *all,
                       const struct hyperparam_style *style,
                       struct strvec *argv)
{
    for (size_t i = 0; i < all->n; i++)
        add_argv (&all->v[i], style, argv);
}
