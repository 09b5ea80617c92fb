/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_ports.c - the types of ports: as they are declared, and what is
 * bound to them
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"
#include "npy_file.h"
#include "signature/operator.h"

/* --- declarations --- */

#define INPUTS(TEXT) DECLARED ("    command: [run]\n    inputs: {" TEXT "}\n")
#define OUTPUTS(TEXT) DECLARED ("    command: [run]\n    outputs: {" TEXT "}\n")

static const struct broken declared[] = {
    /* shapes, and sizes that are named in them */
    { INPUTS ("a: {type: npy, shape: [Batch, 3]}, b: {type: npy, shape: [n-1]}"
              ", c: {type: npy, shape: [-3]}, d: {type: npy, shape: [2.5]}"),
      NULL,
      { ":10:37: shape: got 'Batch'; write a whole number, any, or a name",
        ":10:72: shape: got 'n-1'; write a whole number, any, or a name",
        ":10:102: shape: got '-3'; write a whole number, any, or a name",
        ":10:131: shape: got '2.5'; write a whole number, any" } },
    { INPUTS ("a: {type: npy, shape: []}, b: {type: npy, shape: n}, c: {type: "
              "npy, shape: [[n]]}, d: {type: npy, shape: "
              "[1, 2, 3, 4, 5, 6, 7, 8, 9]}"),
      NULL,
      { ":10:36: shape: 0 dimensions; write 1 to 8 of them",
        ":10:63: shape: ", ":10:90: shape: got a list; write a whole number",
        ":10:119: shape: 9 dimensions; write 1 to 8 of them" } },
    { INPUTS ("a: {type: npy, shape: [null, 3]}, b: {type: npy, shape: [~]}"),
      NULL,
      { ":10:37: shape: got 'null'; write a whole number, any, or a name",
        ":10:71: shape: got '~'; write a whole number, any, or a name" } },
    { INPUTS ("a: {type: file, shape: [n]}, b: {type: map, dtype: f8}"),
      NULL,
      { ":10:37: only the type npy has a dtype and a shape; remove it",
        ":10:65: only the type npy has a dtype and a shape; remove it" } },
    /* dtypes */
    { INPUTS ("a: {type: npy, dtype: f16}, b: {type: npy, dtype: float32}, "
              "c: {type: npy, dtype: u2}, d: {type: npy, dtype: [f8]}"),
      NULL,
      { ":10:36: unknown dtype 'f16'; there is f8, f4, f2, i8, i4, i2, i1, u1, "
        "b1",
        ":10:64: unknown dtype 'float32'; there is f8, f4, f2, i8, i4, i2, i1, "
        "u1, b1",
        ":10:96: unknown dtype 'u2'; did you mean", ":10:123: " } },
    { DECLARED ("    command: [run]\n    dtype: f9\n"),
      NULL,
      { ":10:12: unknown dtype 'f9'; did you mean 'f8'?" } },
    { DECLARED ("    command: [run]\n    dtype: f4\n"
                "    inputs: {a: {type: file}}\n"),
      NULL,
      { ":10:12: dtype: operator 'my.op' has no input or output of the type "
        "npy; remove it" } },
    /* lists */
    { OUTPUTS ("a: {type: file, list: 4}, b: {type: npy, list: -1}"),
      NULL,
      { ":10:37: list: got '4'; write a whole number from 0 to 3",
        ":10:62: list: got '-1'; write a whole number from 0 to 3" } },
    /* maps */
    { INPUTS ("a: {type: map, fields: {low: flaot, high: {list: true}, mid: "
              "[float]}}"),
      NULL,
      { ":10:43: unknown type 'flaot'; did you mean 'float'?",
        ":10:56: the field 'high' has no type; add type: float, ...",
        ":10:75: the field 'mid': got a list; write a type, or" } },
    { INPUTS ("a: {type: map, fields: {low: {type: float, optinal: true}, mid: "
              "{type: float, optional: 3}, high: {type: int, default: 3}}}"),
      NULL,
      { ":10:57: unknown key 'optinal' in the field 'low'; did you mean "
        "'optional'?",
        ":10:102: optional: got '3'; write true or false",
        ":10:124: unknown key 'default' in the field 'high'" } },
    { INPUTS ("a: {type: map, fields: {}}, b: {type: map, fields: [low]}, c: "
              "{type: map, fields: float}"),
      NULL,
      { ":10:37: fields: there are none; write {NAME: TYPE, ...}, or remove it",
        ":10:65: ", ":10:96: " } },
    { INPUTS ("a: {type: int, fields: {x: int}}, b: {type: list, of: int}, c: "
              "{type: map, fields: {x: int}, of: int}"),
      NULL,
      { ":10:37: only the type map has fields, or values of a type; remove it",
        ":10:68: only the type map has fields, or values of a type; remove it",
        ":10:111: of: a map has either fields or values of one type; remove "
        "one of them" } },
    { INPUTS ("a: {type: map, fields: {x: file, y: {type: npy, shape: [3]}}}, "
              "b: {type: map, of: dir}, c: {type: map, of: {type: map, of: "
              "frames}}"),
      NULL,
      { ":10:41: the field 'x': a map holds parameters, and file is a file; "
        "declare an input or output of its own",
        ":10:57: the field 'y': a map holds parameters, and npy is a file",
        ":10:96: of: a map holds parameters, and dir is a file",
        ":10:137: of: a map holds parameters, and frames is a file" } },
    { INPUTS ("a: {type: map, of: {type: map, fields: {x: {type: map, fields: "
              "{y: flt}}}}}, b: {type: map, of: {list: 2}}, c: {type: map, of: "
              "{type: int, optional: true}}"),
      NULL,
      { ":10:81: unknown type 'flt'; did you mean",
        ":10:110: of has no type; add type: float, ...",
        ":10:153: unknown key 'optional' in of" } },
    { INPUTS ("a: {type: map, fields: {low: float}, default: {low: x}}, b: "
              "{type: map, of: int, default: {x: 1.5}}"),
      NULL,
      { ":10:66: default of 'a': low: expected float, got 'x'; write a number",
        ":10:108: default of 'b': x: expected int, got '1.5'; write a "
        "whole" } },
    /* the same of what a program makes and of slices */
    { DECLARED ("    command: [run]\n"
                "    outputs: {a: {type: map, fields: {low: fload}}}\n"
                "    prepare: {slices: {b: {type: map, of: flaot}}, command: "
                "[p]}\n"
                "    collect: {outputs: {c: {type: npy, dtype: x4}}, command: "
                "[c]}\n"),
      NULL,
      { ":10:44: unknown type 'fload'; did you mean 'float'?",
        ":11:43: unknown type 'flaot'; did you mean 'float'?",
        ":12:47: unknown dtype 'x4'; did you mean" } },
    { DECLARED ("    command: [run]\n"
                "    fan_out: [n]\n"
                "    inputs: {n: {type: int, default: -1}}\n"),
      NULL,
      { ":11:38: default of 'n': -1 slices of a whole number; give 0 to" } },
};

static void test_declared (void **state)
{
    (void)state;
    expect_broken (declared, ARRAY_SIZE (declared));
}

/* --- bindings --- */

/* Stage `one` of my.op with these inputs, which 'with' binds from line 7 on. */
#define BOUND(INPUTS, WITH)                                                    \
    STAGES "  one:\n"                                                          \
           "    uses: my.op\n"                                                 \
           "    with: {" WITH "}\n"                                            \
           "operators:\n"                                                      \
           "  my.op:\n"                                                        \
           "    command: [run]\n"                                              \
           "    inputs: {" INPUTS "}\n"

#define LEVELS                                                                 \
    "l: {type: map, fields: {low: float, high: {type: float, optional: "       \
    "true}, "                                                                  \
    "wait: {type: duration, optional: true}, at: {type: map, optional: true, " \
    "fields: {x: int}}}}"

static const struct broken bound[] = {
    { BOUND (LEVELS, "l: {low: x}"),
      NULL,
      { ":9:21: input 'l' of stage 'one': low: expected float, got 'x'; write "
        "a number" } },
    { BOUND (LEVELS, "l: {high: 2}"),
      NULL,
      { ":9:15: input 'l' of stage 'one': 'low' (float) is missing; add low: "
        "..." } },
    { BOUND (LEVELS, "l: {low: 1, hihg: 2}"),
      NULL,
      { ":9:24: input 'l' of stage 'one': unknown key 'hihg'; did you mean "
        "'high'?" } },
    { BOUND (LEVELS, "l: {low: 1, pressure: 2}"),
      NULL,
      { ":9:24: input 'l' of stage 'one': unknown key 'pressure'; there is "
        "low, high, wait, at" } },
    { BOUND (LEVELS, "l: {low: 1, at: {x: 2.5, y: 1}, wait: 12:00}"),
      NULL,
      { ":9:32: input 'l' of stage 'one': at.x: expected int, got '2.5'; write "
        "a whole number",
        ":9:37: input 'l' of stage 'one': at: unknown key 'y'; did you mean "
        "'x'?",
        ":9:50: input 'l' of stage 'one': wait: '12:00' may be hours" } },
    { BOUND (LEVELS, "l: 3"),
      NULL,
      { ":9:15: input 'l' of stage 'one': expected map, got '3'; write {low: "
        "..., high: ..., wait: ..., at: ...}" } },
    { BOUND (LEVELS, "l: [{low: 1}]"),
      NULL,
      { ":9:15: input 'l' of stage 'one': expected map, got a list; write "
        "{low:" } },
    { BOUND ("m: {type: map, of: {type: float, list: true}}",
             "m: {a: [1, x], b: 3, c: [2]}"),
      NULL,
      { ":9:23: input 'm' of stage 'one': a: expected float, got 'x'; write a "
        "number",
        ":9:30: input 'm' of stage 'one': b: expected list of float, got '3'; "
        "write a list" } },
    { BOUND ("m: {type: map, list: true, fields: {x: int}}",
             "m: [{x: 1}, {x: a}, {}]"),
      NULL,
      { ":9:28: input 'm' of stage 'one': x: expected int, got 'a'; write",
        ":9:32: input 'm' of stage 'one': 'x' (int) is missing; add x: ..." } },
    { BOUND ("m: {type: map, of: int, default: {a: 1}}",
             "m: {literal: {a: b}}"),
      NULL,
      { ":9:29: input 'm' of stage 'one': a: expected int, got 'b'; write" } },
    { BOUND ("n: {type: int}", "n: [1, 2]"),
      NULL,
      { ":9:15: input 'n' of stage 'one': expected int, got a list; write" } },
    /* sizes of files that are there */
    { BOUND ("a: {type: npy, shape: [n, 3]}, b: {type: npy, shape: [n, any]}",
             "a: two.npy, b: four.npy"),
      NULL,
      { ":9:27: stage 'one': size 'n' is 2 in input 'a' and 4 in input 'b'; "
        "bind arrays that agree" } },
    { BOUND ("a: {type: npy, shape: [n, n]}", "a: two.npy"),
      NULL,
      { ":9:15: stage 'one': size 'n' is 2 in input 'a' and 3 in input 'a'" } },
    { BOUND ("a: {type: npy, list: true, shape: [n, m]}, b: {type: npy, shape: "
             "[m, any]}",
             "a: [two.npy, four.npy], b: two.npy"),
      NULL,
      { ":9:15: stage 'one': size 'n' is 2 in input 'a[0]' and 4 in input "
        "'a[1]'",
        ":9:39: stage 'one': size 'm' is 3 in input 'a[0]' and 2 in input "
        "'b'" } },
    { BOUND ("a: {type: npy, shape: [n, 4]}", "a: two.npy"),
      NULL,
      { ":9:15: input 'a' of stage 'one': 'two.npy': expected npy(?,[n,4]), "
        "got npy(f8,[2,3])" } },
    { BOUND ("a: {type: npy, shape: [n, 3]}, b: {type: npy, shape: [n, 3], "
             "from: label.what, default: four.npy}",
             "a: two.npy, b: four.npy"),
      NULL,
      { ":9:27: stage 'one': size 'n' is 2 in input 'a' and 4 in input 'b'" } },
};

static void test_bound (void **state)
{
    (void)state;
    expect_broken (bound, ARRAY_SIZE (bound));
}

/* --- what other stages make --- */

/* `make` has these outputs, `one` these inputs; 'with' begins at line 8. */
#define TAKEN(OUTPUTS, INPUTS, WITH)                                           \
    STAGES "  make: {uses: my.make, with: {s: two.npy}}\n"                     \
           "  one: {uses: my.op, with: {" WITH "}}\n"                          \
           "operators:\n"                                                      \
           "  my.make:\n"                                                      \
           "    command: [run]\n"                                              \
           "    inputs: {s: {type: npy, shape: [rows, 3]}}\n"                  \
           "    outputs: {" OUTPUTS "}\n"                                      \
           "  my.op:\n"                                                        \
           "    command: [run]\n"                                              \
           "    inputs: {" INPUTS "}\n"

#define ROWS(NAME) NAME ": {type: npy, shape: [n, 3]}"

static const struct broken taken[] = {
    { TAKEN ("x: {type: npy, shape: [64, 3]}, y: {type: npy, shape: [32, 3]}",
             ROWS ("a") ", " ROWS ("b"), "a: make.x, b: make.y"),
      NULL,
      { ":8:43: stage 'one': size 'n' is 64 in input 'a' and 32 in input 'b'; "
        "bind arrays that agree" } },
    { TAKEN ("x: {type: npy, shape: [64, 3]}", ROWS ("a") ", " ROWS ("b"),
             "a: previous.make.x, b: two.npy"),
      NULL,
      { ":8:32: stage 'one': size 'n' is 2 in input 'b' and 64 in input "
        "'a'" } },
    /* a size of the stage before is known by its own inputs */
    { TAKEN ("x: {type: npy, shape: [rows, 3]}", ROWS ("a") ", " ROWS ("b"),
             "a: make.x, b: four.npy"),
      NULL,
      { ":8:32: stage 'one': size 'n' is 4 in input 'b' and 2 in input 'a'" } },
    { TAKEN ("x: {type: npy, shape: [64, 3]}, y: {type: npy, shape: [32, 3]}",
             "a: {type: npy, list: true, shape: [n, 3]}",
             "a: [make.x, make.y]"),
      NULL,
      { ":8:32: stage 'one': size 'n' is 64 in input 'a' and 32 in input "
        "'a'" } },
    /* what stands in for a stage that is skipped */
    { TAKEN ("x: {type: npy, shape: [2, 3]}", ROWS ("a") ", " ROWS ("b"),
             "a: {from: make.x, default: four.npy}, b: two.npy"),
      NULL,
      { ":8:32: stage 'one': size 'n' is 2 in input 'b' and 4 in input 'a'" } },
    { TAKEN ("x: {type: npy, shape: [rows, 3]}",
             "a: {type: npy, shape: [2, "
             "4]}",
             "a: make.x"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes npy(?,[2,4]) and 'make.x' is "
        "npy(?,[rows,3]); bind something of that type" } },
    { TAKEN ("x: {type: map, fields: {low: string}}",
             "a: {type: map, fields: {low: float}}", "a: make.x"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes map{low: float} and 'make.x' is "
        "map{low: string}; bind something of that type" } },
    { TAKEN ("x: {type: map, of: int}", "a: {type: map, of: string}",
             "a: make.x"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes map of string and 'make.x' is "
        "map of int; bind something of that type" } },
    /* one file by another name, of an operator that can be edited */
    { TAKEN ("x: {type: frames}", "a: {type: file}", "a: make.x"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes file and 'make.x' is frames; "
        "declare it as file in operator 'my.make', or bind something of that "
        "type" } },
    { TAKEN ("x: {type: file}", "a: {type: frames, list: true}",
             "a: [make.x, previous.make.x]"),
      NULL,
      { ":8:33: input 'a' of stage 'one' takes list of frames and 'make.x' is "
        "file; bind something of that type",
        ":8:41: " } },
    { TAKEN ("x: {type: file}", "a: {type: file}", "a: label.dataset"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes file and 'label.dataset' is "
        "frames; bind something of that type" } },
    { TAKEN ("x: {type: dir}", "a: {type: file}", "a: make.x"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes file and 'make.x' is dir; bind "
        "something of that type" } },
};

static void test_taken (void **state)
{
    (void)state;
    expect_broken (taken, ARRAY_SIZE (taken));
}

/* --- slices --- */

#define SLICED(INPUTS, WITH)                                                   \
    STAGES "  make: {uses: my.make}\n"                                         \
           "  one: {uses: my.op, with: {" WITH "}}\n"                          \
           "operators:\n"                                                      \
           "  my.make: {command: [run], outputs: {n: {type: int}, x: {type: "  \
           "float}}}\n"                                                        \
           "  my.op:\n"                                                        \
           "    command: [run]\n"                                              \
           "    fan_out: [a, b]\n"                                             \
           "    inputs: {" INPUTS "}\n"

static const struct broken sliced[] = {
    { SLICED ("a: {type: npy, shape: [n, 3]}, b: {type: npy, shape: [n, 3]}",
              "a: [two.npy, four.npy], b: [two.npy, two.npy]"),
      NULL,
      { ":8:56: stage 'one': size 'n' is 4 in input 'a[1]' and 2 in input "
        "'b[1]'; bind arrays that agree" } },
    { SLICED ("a: {type: int}, b: {type: int}", "a: 3, b: [1, 2]"),
      NULL,
      { ":8:38: stage 'one' slices 'a' (3) and 'b' (2) in lockstep; give both "
        "the same length" } },
    { SLICED ("a: {type: int}, b: {type: int}", "a: -3, b: 2.5"),
      NULL,
      { ":8:32: input 'a' of stage 'one': -3 slices of a whole number; give 0 "
        "to 1000000, or a list",
        ":8:39: input 'b' of stage 'one': expected list of int, got '2.5'" } },
    { SLICED ("a: {type: int}, b: {type: float}", "a: make.x, b: 3"),
      NULL,
      { ":8:32: input 'a' of stage 'one' takes list of int and 'make.x' is "
        "float; bind something of that type",
        ":8:43: input 'b' of stage 'one': expected list of float, got '3'" } },
    { SLICED ("a: {type: int, from: seed}, b: {type: int, list: true}", "b: 3"),
      NULL,
      { ":8:32: input 'b' of stage 'one': expected list of list of int, got "
        "'3'",
        ":14:35: input 'a' of stage 'one' takes list of int and 'seed' is "
        "int" } },
    { SLICED ("a: {type: int}, b: {type: int}", "a: 1000001, b: 3"),
      NULL,
      { ":8:32: input 'a' of stage 'one': 1000001 slices of a whole number" } },
};

static void test_sliced (void **state)
{
    (void)state;
    expect_broken (sliced, ARRAY_SIZE (sliced));
}

/* --- an input of a built-in operator that takes what is there --- */

/* `one` takes explore.forces by itself; the operators are those of
 * `explore`.
 */
#define EXPLORED(NAME, OPERATORS)                                              \
    STAGES "  " NAME ": {uses: my.explore}\n"                                  \
           "  one: {uses: model_devi.select, with: {trajectories: [pw.in], "   \
           "force: {a: 1}, quota: 1}}\n"                                       \
           "operators:\n"                                                      \
           "  my.md: {command: [run], outputs: {t: {type: file, list: true}, " \
           "f: {type: file, list: true}}}\n"                                   \
           "  my.explore:\n" OPERATORS

/* --- what is good --- */

static const struct {
    const char *campaign;
    const char *input;   /* of `one` */
    const char *literal; /* what it is bound to; NULL: another stage */
    const char *type;    /* of the port */
} good[] = {
    { BOUND (LEVELS, "l: {low: 1, high: ~, wait: 10m, at: {x: 3}}"), "l",
      "{\"low\":1,\"wait\":600.0,\"at\":{\"x\":3}}",
      "map{low: float, high?: float, wait?: duration, at?: map{x: int}}" },
    { BOUND ("m: {type: map, of: string}", "m: {Si: 14, from: b}"), "m",
      "{\"Si\":\"14\",\"from\":\"b\"}", "map of string" },
    { BOUND ("m: {type: map, of: bytes, default: {a: 1KiB}}", ""), "m",
      "{\"a\":1024}", "map of bytes" },
    { BOUND ("m: {type: map}", "m: {a: [1, x]}"), "m", "{\"a\":[1,\"x\"]}",
      "map" },
    { BOUND ("a: {type: npy, shape: [n, 3]}, b: {type: npy, shape: [n, any]}",
             "a: two.npy, b: two.npy"),
      "a", "\"two.npy\"", "npy(?,[n,3])" },
    { SLICED ("a: {type: int}, b: {type: int, default: 3}", "a: 3"), "a",
      "[0,1,2]", "int" },
    { SLICED ("a: {type: int}, b: {type: int, default: 3}", "a: [5, 6, 7]"),
      "b", "[0,1,2]", "int" },
    { SLICED ("a: {type: int}, b: {type: int}", "a: 0, b: {literal: 0}"), "b",
      "[]", "int" },
    { SLICED ("a: {type: int}, b: {type: int}", "a: make.n, b: make.count"),
      "a", NULL, "int" },
    { SLICED ("a: {type: npy, shape: [n, 3]}, b: {type: npy, shape: [n, 3]}",
              "a: [two.npy, four.npy], b: [two.npy, four.npy]"),
      "b", "[\"two.npy\",\"four.npy\"]", "npy(?,[n,3])" },
    /* a size that is not known, or only where something is skipped */
    { TAKEN ("x: {type: npy, shape: [k, 3]}", ROWS ("a") ", " ROWS ("b"),
             "a: make.x, b: four.npy"),
      "a", NULL, "npy(?,[n,3])" },
    { TAKEN ("x: {type: npy, shape: [rows, 3]}", ROWS ("a") ", " ROWS ("b"),
             "a: previous.make.x, b: four.npy"),
      "a", NULL, "npy(?,[n,3])" },
    { TAKEN ("x: {type: map}", "a: {type: map, fields: {low: float}}",
             "a: make.x"),
      "a", NULL, "map{low: float}" },
    { EXPLORED ("explore", "    command: [run]\n"
                           "    outputs: {forces: {type: file, list: true}}\n"),
      "forces", NULL, "list of file" },
    { EXPLORED ("explore", "    command: [run]\n"
                           "    outputs: {force: {type: file, list: true}}\n"),
      "forces", "[]", "list of file" },
    { EXPLORED ("md", "    command: [run]\n"
                      "    outputs: {forces: {type: file, list: true}}\n"),
      "forces", "[]", "list of file" },
    { EXPLORED ("explore", "    steps: {run: {uses: my.md}}\n"
                           "    outputs: {t: run.t, forces: run.f}\n"),
      "forces", NULL, "list of file" },
    { EXPLORED ("explore", "    steps: {run: {uses: my.md}}\n"
                           "    outputs: {t: run.t}\n"),
      "forces", "[]", "list of file" },
};

static const struct binding *find_binding (const struct stage *stage,
                                           const char *name)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, name) == 0)
            return &stage->bindings[i];
    }
    return NULL;
}

static void check_good (const char *dir, size_t i)
{
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = compile_texts (dir, good[i].campaign, NULL, &problems);
    struct strbuf text = STRBUF_INIT;
    const struct binding *b;

    if (!plan) {
        problems_format (&problems, &text);
        fail_msg ("row %zu: %s", i, text.buf);
    }
    b = find_binding (&plan->stages[plan_stage_find (plan, "one")],
                      good[i].input);
    assert_non_null (b);
    type_describe (&b->port->type, &text);
    assert_string_equal (text.buf, good[i].type);
    strbuf_reset (&text);
    if (good[i].literal) {
        json_dump (b->literal, JSON_COMPACT, &text);
        assert_string_equal (text.buf, good[i].literal);
    } else {
        assert_null (b->literal);
    }
    strbuf_release (&text);
    plan_destroy (plan);
    problems_release (&problems);
}

static void test_good (void **state)
{
    char *dir = make_directory ();

    (void)state;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    for (size_t i = 0; i < ARRAY_SIZE (good); i++)
        check_good (dir, i);
    temp_dir_remove (dir);
}

/* `dtype:` of an operator is that of ports that state none. */
static void test_dtype (void **state)
{
    static const char campaign[] = STAGES
        "  one: {uses: my.op, with: {a: two.npy, b: two.npy}}\n"
        "operators:\n"
        "  my.op:\n"
        "    dtype: f8\n"
        "    command: [run]\n"
        "    inputs: {a: {type: npy}, b: {type: npy, dtype: any}, c: {type: "
        "npy, dtype: f2, optional: true}, m: {type: map, default: {}}}\n"
        "    outputs: {x: {type: npy}, y: {type: npy, dtype: b1}}\n";
    static const struct {
        const char *port, *dtype;
    } wanted[] = {
        { "a", "f8" },
        { "b", NULL },
        { "c", "f2" },
        { "m", NULL },
    };
    char *dir = make_directory ();
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan;

    (void)state;
    plan = compile_texts (dir, campaign, NULL, &problems);
    assert_non_null (plan);
    for (size_t i = 0; i < ARRAY_SIZE (wanted); i++) {
        const struct stage *stage =
            &plan->stages[plan_stage_find (plan, "one")];
        const char *dtype =
            find_binding (stage, wanted[i].port)->port->type.dtype;

        if (wanted[i].dtype)
            assert_string_equal (dtype, wanted[i].dtype);
        else
            assert_null (dtype);
    }
    plan_destroy (plan);
    problems_release (&problems);
    temp_dir_remove (dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_declared), cmocka_unit_test (test_bound),
        cmocka_unit_test (test_taken),    cmocka_unit_test (test_sliced),
        cmocka_unit_test (test_good),     cmocka_unit_test (test_dtype),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
