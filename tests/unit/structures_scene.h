/* SPDX-License-Identifier: BSD-3-Clause */
/* structures_scene.h - structures that are known, for tests of what is made of
 * them
 */
#ifndef STRUCTURES_SCENE_H
#define STRUCTURES_SCENE_H

#include "base/error.h"
#include "base/json.h"
#include "formats/frame.h"

/* Aluminium's cubic cell of four atoms. */
static inline void scene_aluminium (struct frame *frame)
{
    static const double a = 4.05;
    static const double at[4][3] = {
        { 0, 0, 0 }, { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 0.5, 0.5, 0 }
    };

    frame_release (frame);
    assert_int_equal (frame_resize (frame, 4, false, NULL), 0);
    for (size_t i = 0; i < 4; i++) {
        symbol_set (frame->symbols[i], "Al", 2);
        for (size_t j = 0; j < 3; j++)
            frame->positions[3 * i + j] = a * at[i][j];
    }
    for (size_t k = 0; k < 3; k++) {
        frame->cell[4 * k] = a;
        frame->periodic[k] = true;
    }
}

/* A molecule of hydrogen, without a cell. */
static inline void scene_hydrogen (struct frame *frame)
{
    frame_release (frame);
    assert_int_equal (frame_resize (frame, 2, false, NULL), 0);
    symbol_set (frame->symbols[0], "H", 1);
    symbol_set (frame->symbols[1], "H", 1);
    frame->positions[5] = 0.74;
}

/* What JSON in single quotes says; caller unrefs. */
static inline struct json *scene_json (const char *text)
{
    _cleanup_free_ char *copy = xstrdup (text);
    struct json *v;

    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    v = json_parse (copy, strlen (copy), "test", NULL);
    if (!v)
        fail_msg ("%s is no JSON", copy);
    return v;
}

static inline size_t scene_count (const struct frame *frame, const char *symbol)
{
    size_t n = 0;

    for (size_t i = 0; i < frame->n_atoms; i++)
        n += strcmp (frame->symbols[i], symbol) == 0;
    return n;
}

#endif /* !STRUCTURES_SCENE_H */
