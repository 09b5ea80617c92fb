/* SPDX-License-Identifier: BSD-3-Clause */
/* test_type.c - names, descriptions, what accepts what, JSON and back */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/json.h"
#include "signature/type.h"

#define T(KIND, DEPTH)                                                         \
    {                                                                          \
        .kind = KIND, .depth = DEPTH                                           \
    }
#define NPY(DTYPE, N, ...)                                                     \
    {                                                                          \
        .kind = TYPE_NPY, .dtype = DTYPE, .n_dims = N, .shape = {              \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

static const struct type floats = { .kind = TYPE_FLOAT, .depth = 1 };
static const struct type_field run_fields[] = {
    { "steps", ONE (INT), false },
    { "levels",
      { .kind = TYPE_MAP,
        .depth = 1,
        .fields =
            (const struct type_field[]){ { "force", MAP_OF (floats), false },
                                         { 0 } } },
      true },
    { 0 }
};

static void test_names (void **state)
{
    (void)state;
    for (int kind = TYPE_INT; kind <= TYPE_NPY; kind++)
        assert_int_equal (type_kind_from_name (type_kind_name (kind)), kind);
    assert_int_equal (type_kind_from_name ("floats"), TYPE_NONE);
    assert_int_equal (type_kind_from_name (""), TYPE_NONE);
    assert_int_equal (type_kind_from_name ("none"), TYPE_NONE);
    assert_string_equal (type_kind_name (TYPE_DURATION), "duration");
}

static const struct {
    struct type type;
    const char *text;
    bool artifact;
} descriptions[] = {
    { { .kind = TYPE_INT }, "int", false },
    { { .kind = TYPE_MAP, .depth = 1 }, "list of map", false },
    { { .kind = TYPE_FILE, .depth = 2 }, "list of list of file", true },
    { { .kind = TYPE_FRAMES }, "frames", true },
    { { .kind = TYPE_NPY }, "npy", true },
    { NPY ("f8", 2, -1, 3), "npy(f8,[?,3])", true },
    { NPY (NULL, 1, 9), "npy(?,[9])", true },
    { NPY ("i4", 0, 0), "npy(i4)", true },
    { { .kind = TYPE_NPY,
        .dtype = "f4",
        .n_dims = 4,
        .shape = { -1, 1, -1, 28 },
        .sizes = { "batch" } },
      "npy(f4,[batch,1,?,28])",
      true },
    { MAP_OF (floats), "map of list of float", false },
    { { .kind = TYPE_MAP, .depth = 1, .fields = run_fields },
      "list of map{steps: int, levels?: list of map{force: map of list of "
      "float}}",
      false },
};

static void test_descriptions (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (descriptions); i++) {
        struct strbuf text = STRBUF_INIT;

        type_describe (&descriptions[i].type, &text);
        assert_string_equal (text.buf, descriptions[i].text);
        assert_int_equal (type_is_artifact (&descriptions[i].type),
                          descriptions[i].artifact);
        strbuf_release (&text);
    }
}

#define SIZED(NAME, EXTENT)                                                    \
    {                                                                          \
        .kind = TYPE_NPY, .dtype = "f8", .n_dims = 2, .shape = { -1, EXTENT }, \
        .sizes = {                                                             \
            NAME                                                               \
        }                                                                      \
    }

static const struct type one_int = ONE (INT), one_float = ONE (FLOAT);
static const struct type_field low[] = { { "low", ONE (FLOAT), false }, { 0 } };
static const struct type_field low_text[] = { { "low", ONE (STRING), false },
                                              { 0 } };
static const struct type_field low_high[] = { { "low", ONE (FLOAT), false },
                                              { "high", ONE (FLOAT), true },
                                              { 0 } };
static const struct type_field low_mid[] = { { "low", ONE (FLOAT), false },
                                             { "mid", ONE (FLOAT), false },
                                             { 0 } };

static const struct {
    struct type to, from;
    bool accepts;
} pairs[] = {
    { T (TYPE_INT, 0), T (TYPE_INT, 0), true },
    { T (TYPE_FLOAT, 0), T (TYPE_INT, 0), true },
    { T (TYPE_INT, 0), T (TYPE_FLOAT, 0), false },
    { T (TYPE_FLOAT, 2), T (TYPE_INT, 2), true },
    { T (TYPE_FLOAT, 1), T (TYPE_FLOAT, 0), false },
    { T (TYPE_FLOAT, 0), T (TYPE_FLOAT, 1), false },
    { T (TYPE_DURATION, 0), T (TYPE_INT, 0), false },
    { T (TYPE_LIST, 0), T (TYPE_LIST, 0), true },
    { T (TYPE_LIST, 0), T (TYPE_FLOAT, 1), true },
    { T (TYPE_LIST, 0), T (TYPE_FLOAT, 0), false },
    { T (TYPE_LIST, 0), T (TYPE_FILE, 1), false },
    { T (TYPE_LIST, 1), T (TYPE_MAP, 2), true },
    { T (TYPE_FLOAT, 1), T (TYPE_LIST, 0), false },
    { T (TYPE_ANY, 0), T (TYPE_MAP, 0), true },
    { T (TYPE_ANY, 0), T (TYPE_INT, 2), true },
    { T (TYPE_ANY, 1), T (TYPE_INT, 0), false },
    { T (TYPE_ANY, 0), T (TYPE_FILE, 0), false },
    { T (TYPE_MAP, 0), T (TYPE_ANY, 0), false },
    { T (TYPE_FRAMES, 0), T (TYPE_FRAMES, 0), true },
    { T (TYPE_FRAMES, 0), T (TYPE_FRAMES, 1), true },
    { T (TYPE_FRAMES, 0), T (TYPE_FRAMES, 2), false },
    { T (TYPE_FRAMES, 1), T (TYPE_FRAMES, 0), false },
    { T (TYPE_FRAMES, 1), T (TYPE_FRAMES, 1), true },
    { T (TYPE_FILE, 0), T (TYPE_FRAMES, 0), false },
    { T (TYPE_DIR, 0), T (TYPE_FILE, 0), false },
    { T (TYPE_NPY, 0), NPY ("f8", 2, -1, 3), true },
    { NPY ("f8", 0, 0), T (TYPE_NPY, 0), false },
    { NPY ("f8", 0, 0), NPY ("f4", 0, 0), false },
    { NPY ("f8", 2, -1, 3), NPY ("f8", 2, 7, 3), true },
    { NPY ("f8", 2, -1, 3), NPY ("f8", 2, -1, -1), false },
    { NPY ("f8", 2, -1, 3), NPY ("f8", 1, 3), false },
    { NPY (NULL, 1, -1), NPY ("i8", 1, 5), true },
    { SIZED ("n", 3), NPY ("f8", 2, 7, 3), true },
    { SIZED ("n", 3), SIZED ("m", 3), true },
    { SIZED ("n", 3), NPY ("f8", 2, 7, 4), false },
    { NPY ("f8", 2, 7, 3), SIZED ("n", 3), false },
    /* of a plain map only its value tells */
    { T (TYPE_MAP, 0), MAP_WITH (low_high), true },
    { MAP_WITH (low_high), T (TYPE_MAP, 0), true },
    { MAP_WITH (low_high), T (TYPE_MAP, 1), false },
    { MAP_WITH (low_high), MAP_WITH (low_high), true },
    { MAP_WITH (low_high), MAP_WITH (low), true },
    { MAP_WITH (low), MAP_WITH (low_high), true },
    { MAP_WITH (low), MAP_WITH (low_mid), false },
    { MAP_WITH (low_mid), MAP_WITH (low), false },
    { MAP_WITH (low), MAP_WITH (low_text), false },
    { MAP_WITH (low), MAP_OF (one_int), true },
    { MAP_WITH (low), MAP_OF (floats), false },
    { MAP_OF (one_int), MAP_WITH (low), false },
    { MAP_OF (one_float), MAP_OF (one_int), true },
    { MAP_OF (one_float), MAP_WITH (low), true },
    { MAP_OF (floats), T (TYPE_MAP, 0), true },
    { T (TYPE_ANY, 0), MAP_WITH (low_high), true },
};

static void test_what_accepts_what (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (pairs); i++) {
        if (type_accepts (&pairs[i].to, &pairs[i].from) != pairs[i].accepts)
            fail_msg ("pair %zu", i);
    }
}

static void test_json_round_trip (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (descriptions); i++) {
        const struct type *type = &descriptions[i].type;
        struct json *v = type_to_json (type);
        struct arena *arena = arena_create ();
        struct type back;
        struct error err = ERROR_INIT;
        struct strbuf text = STRBUF_INIT;

        assert_int_equal (type_from_json (v, arena, &back, &err), 0);
        json_unref (v); /* nothing of it is lent */
        type_describe (&back, &text);
        assert_string_equal (text.buf, descriptions[i].text);
        assert_int_equal (back.n_dims, type->n_dims);
        strbuf_release (&text);
        arena_destroy (arena);
    }
}

/* The JSON of types stands in stage.json, and so in identities. */
static const struct {
    struct type type;
    const char *json;
    const char *unchecked; /* without what only refuses values; NULL: same */
} as_json[] = {
    { T (TYPE_MAP, 1), "{\"kind\":\"map\",\"depth\":1}", NULL },
    { NPY ("f8", 2, -1, 3),
      "{\"kind\":\"npy\",\"depth\":0,\"dtype\":\"f8\",\"shape\":[-1,3]}",
      NULL },
    { SIZED ("n", 3),
      "{\"kind\":\"npy\",\"depth\":0,\"dtype\":\"f8\",\"shape\":[\"n\",3]}",
      "{\"kind\":\"npy\",\"depth\":0,\"dtype\":\"f8\",\"shape\":[-1,3]}" },
    { MAP_OF (one_int),
      "{\"kind\":\"map\",\"depth\":0,\"of\":{\"kind\":\"int\",\"depth\":0}}",
      "{\"kind\":\"map\",\"depth\":0}" },
    { MAP_WITH (low_high),
      "{\"kind\":\"map\",\"depth\":0,\"fields\":{\"low\":{\"kind\":\"float\","
      "\"depth\":0},\"high\":{\"kind\":\"float\",\"depth\":0,\"optional\":"
      "true}}}",
      "{\"kind\":\"map\",\"depth\":0}" },
};

static void test_as_json (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (as_json); i++) {
        struct json *v = type_to_json (&as_json[i].type);
        struct strbuf text = STRBUF_INIT;

        json_dump (v, JSON_COMPACT, &text);
        assert_string_equal (text.buf, as_json[i].json);
        strbuf_reset (&text);
        type_json_drop_checks (v);
        json_dump (v, JSON_COMPACT, &text);
        assert_string_equal (text.buf, as_json[i].unchecked
                                           ? as_json[i].unchecked
                                           : as_json[i].json);
        strbuf_release (&text);
        json_unref (v);
    }
}

static const struct {
    const char *text, *message;
} bad_json[] = {
    { "3", "key 'kind': missing" },
    { "{\"kind\": 3, \"depth\": 0}", "key 'kind': expected a string" },
    { "{\"kind\": \"real\", \"depth\": 0}", "unknown type 'real'" },
    { "{\"kind\": \"int\"}", "key 'depth': missing" },
    { "{\"kind\": \"int\", \"depth\": 5}",
      "key 'depth': expected 4 or less, got 5" },
    { "{\"kind\": \"int\", \"depth\": -1}",
      "key 'depth': expected 0 or more, got -1" },
    { "{\"kind\": \"npy\", \"depth\": 0, \"dtype\": 8}", "key 'dtype'" },
    { "{\"kind\": \"npy\", \"depth\": 0, \"shape\": 8}", "key 'shape'" },
    { "{\"kind\": \"npy\", \"depth\": 0, \"shape\": [-2]}", "not a count" },
    { "{\"kind\": \"npy\", \"depth\": 0, \"shape\": [1,1,1,1,1,1,1,1,1]}",
      "more than 8 dimensions" },
    { "{\"kind\": \"npy\", \"depth\": 0, \"shape\": [true]}", "not a count" },
    { "{\"kind\": \"map\", \"depth\": 0, \"fields\": [1]}", "key 'fields'" },
    { "{\"kind\": \"map\", \"depth\": 0, \"fields\": {\"low\": 1}}",
      "key 'fields': 'low': key 'kind': missing" },
    { "{\"kind\": \"map\", \"depth\": 0, \"of\": {\"kind\": \"float\"}}",
      "key 'of': key 'depth': missing" },
};

static void test_bad_json (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad_json); i++) {
        struct error err = ERROR_INIT;
        struct type type = { .kind = TYPE_DIR };
        struct arena *arena = arena_create ();
        struct json *v =
            json_parse (bad_json[i].text, strlen (bad_json[i].text), "t", &err);

        assert_non_null (v);
        assert_int_equal (type_from_json (v, arena, &type, &err), -1);
        if (!strstr (err.text, bad_json[i].message))
            fail_msg ("'%s' is not in '%s'", bad_json[i].message, err.text);
        assert_int_equal (type.kind, TYPE_DIR); /* untouched */
        json_unref (v);
        arena_destroy (arena);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_descriptions),
        cmocka_unit_test (test_what_accepts_what),
        cmocka_unit_test (test_json_round_trip),
        cmocka_unit_test (test_as_json),
        cmocka_unit_test (test_bad_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
