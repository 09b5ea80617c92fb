/* SPDX-License-Identifier: BSD-3-Clause */
/* select_view.h - what a selection came to, as a table or as JSON, on stdout */
#ifndef COMMANDS_SELECT_VIEW_H
#define COMMANDS_SELECT_VIEW_H

#include <stddef.h>
#include <stdint.h>

struct json;
struct selection;
struct strvec;
struct survey;

struct select_view {
    const struct survey *survey;
    const struct selection *selection;
    const struct strvec *systems;
    const struct json *earlier;  /* levels of selections before, or NULL */
    const struct json *left_out; /* of select_rules */
    uint64_t *selected;          /* of each system */
    size_t n_files;
};

void select_view_print (const struct select_view *view);
void select_view_json (const struct select_view *view);

#endif /* !COMMANDS_SELECT_VIEW_H */
