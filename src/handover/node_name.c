/* SPDX-License-Identifier: BSD-3-Clause */
/* node_name.c - what the scheduler calls a node */
#include "base/base.h"

#include "handover/node_name.h"

bool is_node_name (const char *name)
{
    static const char characters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

    return name && name[0] && strlen (name) <= 255
           && name[strspn (name, characters)] == '\0';
}

static const char *from_variable (const char *variable)
{
    const char *name = getenv (variable);

    return is_node_name (name) ? name : NULL;
}

const char *node_name_of_script (void)
{
    return from_variable ("FANFOLD_NODE");
}

const char *node_name_of_step (void)
{
    const char *variable = getenv ("FANFOLD_NODE_IN");

    return variable ? from_variable (variable) : NULL;
}
