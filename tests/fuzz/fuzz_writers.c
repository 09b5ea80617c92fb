/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_writers.c - what is written as JSON and YAML is read as the same
 *
 * The bytes make a value: any text, as values and as keys, in lists and maps.
 */
#include "base/base.h"

#include "base/arena.h"
#include "base/yaml_write.h"
#include "fuzz.h"

/* YAML is read 64 deep. */
enum { DEPTH_MOST = 50, TEXT_MOST = 255 };

struct source {
    const uint8_t *at;
    size_t left;
};

static uint8_t next (struct source *source)
{
    uint8_t byte = source->left > 0 ? *source->at : 0;

    source->at += source->left > 0;
    source->left -= source->left > 0;
    return byte;
}

/* So many bytes as the first of them says. */
static struct json *take_text (struct source *source)
{
    size_t len = next (source);
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    if (len == TEXT_MOST) /* long, too */
        len = source->left;
    for (; len > 0 && source->left > 0; len--) {
        uint8_t byte = next (source);

        strbuf_add_char (&text, byte ? (char)byte : '\n');
    }
    v = json_string (text.buf ? text.buf : "");
    strbuf_release (&text);
    return v;
}

static struct json *take_value (struct source *source, int depth);

static struct json *take_items (struct source *source, int depth, bool map)
{
    struct json *v = map ? json_object () : json_array ();

    for (int n = next (source) % 8; n > 0 && source->left > 0; n--) {
        struct json *key = map ? take_text (source) : NULL;
        struct json *item = take_value (source, depth + 1);

        if (map)
            json_set (v, json_as_string (key), item);
        else
            json_push (v, item);
        json_unref (key);
    }
    return v;
}

static struct json *take_value (struct source *source, int depth)
{
    double real = 0;

    switch (next (source) % 8) {
    case 0:
        return json_null ();
    case 1:
        return json_bool (next (source) % 2 == 0);
    case 2:
        return json_int (next (source) - 128);
    case 3:
        if (source->left >= sizeof (real))
            memcpy (&real, source->at, sizeof (real));
        for (size_t i = 0; i < sizeof (real); i++)
            next (source);
        return json_real (real - real == 0 ? real : 0.5);
    case 4:
        return depth < DEPTH_MOST ? take_items (source, depth, false)
                                  : json_array ();
    case 5:
        return depth < DEPTH_MOST ? take_items (source, depth, true)
                                  : json_object ();
    default:
        return take_text (source);
    }
}

/* A mapping of it, as text of YAML and back. */
static void must_survive_yaml (const struct json *v)
{
    struct arena *arena = arena_create ();
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree;
    struct json *again;

    yaml_write_pairs (yaml_from_json (arena, v), 0, &text);
    tree = yaml_tree_parse (text.buf, text.len, "written", &problems);
    must_hold (tree, "what was written as YAML can be read");
    again = yaml_to_json (yaml_tree_root (tree));
    must_hold (json_equal (v, again), "YAML is read as what was written");
    json_unref (again);
    yaml_tree_destroy (tree);
    strbuf_release (&text);
    problems_release (&problems);
    arena_destroy (arena);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct source source = { data, size };
    struct json *v = json_object ();

    json_set (v, "whole", json_object ());
    while (source.left > 0) {
        struct json *key = take_text (&source);

        json_set (v, json_as_string (key), take_value (&source, 0));
        json_unref (key);
    }
    must_survive_writing (v);
    must_survive_yaml (v);
    json_unref (v);
    return 0;
}
