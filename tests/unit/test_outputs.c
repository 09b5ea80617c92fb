/* SPDX-License-Identifier: BSD-3-Clause */
/* test_outputs.c - what a task left behind */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "signature/operator.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "npy_file.h"
#include "signature/sizes.h"
#include "temp_dir.h"

#define ONE_FRAME "1\n\nSi 0 0 0\n"

static const struct port ports[] = {
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = "steps", .type = { .kind = TYPE_INT }, .optional = true },
    { .name = "model", .type = { .kind = TYPE_DIR } },
    { .name = "frames", .type = { .kind = TYPE_FRAMES } },
    { .name = "dumps",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .path = "all/dumps" },
    { .name = "extra", .type = { .kind = TYPE_FILE }, .optional = true },
    { .name = "taken",
      .type = { .kind = TYPE_FILE },
      .optional = true,
      .take = "run/taken.out" },
    { 0 },
};

/* No array among these names a size. */
static struct sizes sizes;

/* One step of making a task's directory; paths are below it. */
struct step {
    enum { END, DIRECTORY, TEXT, LINK, PIPE, REMOVE, LARGE } what;
    const char *path, *text;
};

static const struct step good[] = {
    { DIRECTORY, "out/model", NULL },
    { TEXT, "out/model/weights", "1 2 3" },
    { TEXT, "out/frames.extxyz", ONE_FRAME },
    { DIRECTORY, "out/all/dumps", NULL },
    { TEXT, "out/all/dumps/b", "bb" },
    { TEXT, "out/all/dumps/a", "a" },
    { TEXT, "params.json", "{\"rmse\": 0.25}" },
    { END, NULL, NULL },
};

static void perform (const char *dir, const struct step *step)
{
    char *path = path_join (dir, step->path);

    switch (step->what) {
    case DIRECTORY:
        assert_int_equal (file_make_dirs (path, NULL), 0);
        break;
    case TEXT:
        assert_int_equal (
            file_write_atomic (path, step->text, strlen (step->text), NULL), 0);
        break;
    case LINK:
        assert_int_equal (symlink (step->text, path), 0);
        break;
    case PIPE:
        assert_int_equal (mkfifo (path, 0666), 0);
        break;
    case REMOVE:
        assert_int_equal (file_remove_tree (path, NULL, NULL), 0);
        break;
    case LARGE:
        assert_int_equal (truncate (path, 9 << 20), 0);
        break;
    case END:
        break;
    }
    free (path);
}

/* A task's directory with good outputs, and then 'steps'. */
static char *make_task (const struct step *steps)
{
    char *dir = temp_dir_make ();

    for (const struct step *step = good; step->what != END; step++)
        perform (dir, step);
    for (const struct step *step = steps; step->what != END; step++)
        perform (dir, step);
    return dir;
}

static const struct {
    struct step steps[5];
    const char *message; /* NULL: still good */
} rows[] = {
    { { { END, NULL, NULL } }, NULL },
    /* parameters */
    { { { REMOVE, "params.json", NULL } }, "output 'rmse' is missing" },
    { { { LARGE, "params.json", NULL } },
      "params.json has 9.0 MiB, and the parameters of a task have at most 8 "
      "MiB; make what is large an output file" },
    { { { TEXT, "params.json", "{}" } },
      "write it as a key of the JSON object {outputs.params}" },
    { { { TEXT, "params.json", "{\"rmse\": \"x\"}" } },
      "output 'rmse': expected float, got a string" },
    { { { TEXT, "params.json", "{\"rmse\": null}" } },
      "output 'rmse': expected float, got null" },
    { { { TEXT, "params.json", "{\"rmse\": 1, \"steps\": null}" } }, NULL },
    { { { TEXT, "params.json", "{\"rmse\": 1, \"steps\": 1.5}" } },
      "output 'steps': expected int" },
    { { { TEXT, "params.json", "{\"rmse\": 1, \"step\": 3}" } },
      "output parameter 'step' is not declared; did you mean 'steps'?" },
    { { { TEXT, "params.json", "{\"rmse\": 1, \"temperature\": 3}" } },
      "declare it in the operator's outputs" },
    { { { TEXT, "params.json", "{\"rmse\": 1, \"model\": \"x\"}" } },
      "output parameter 'model' is not declared" },
    { { { TEXT, "params.json", "{\"rmse\": 1" } }, "params.json:1" },
    { { { TEXT, "params.json", "[1]" } }, "params.json: expected an object" },
    { { { REMOVE, "params.json", NULL },
        { LINK, "params.json", "out/model/weights" } },
      "params.json' is not a regular file" },
    { { { REMOVE, "params.json", NULL }, { PIPE, "params.json", NULL } },
      "params.json' is not a regular file" },
    /* artifacts */
    { { { REMOVE, "out/model", NULL } },
      "output 'model' is missing; the command did not write out/model, which "
      "is {outputs.model}" },
    { { { REMOVE, "out", NULL } }, "output 'model' is missing" },
    { { { REMOVE, "out/model", NULL }, { TEXT, "out/model", "x" } },
      "output 'model': 'model' is not a directory" },
    { { { REMOVE, "out/frames.extxyz", NULL },
        { DIRECTORY, "out/frames.extxyz", NULL } },
      "output 'frames': 'frames.extxyz' is not a regular file" },
    { { { TEXT, "out/frames.extxyz", "2\n\nSi 0 0 0\n" } },
      "output 'frames': " },
    { { { TEXT, "out/frames.extxyz", "1\n\nSi 0 0 1.54" } },
      "the file ends here without a line break" },
    { { { TEXT, "out/frames.extxyz", "" } }, NULL }, /* no frames is legal */
    { { { DIRECTORY, "out/all/dumps/c", NULL } },
      "output 'dumps': 'c' is not a regular file" },
    { { { REMOVE, "out/all/dumps", NULL }, { TEXT, "out/all/dumps", "x" } },
      "output 'dumps': 'all/dumps' is not a directory" },
    { { { REMOVE, "out/all/dumps/a", NULL },
        { REMOVE, "out/all/dumps/b", NULL } },
      NULL }, /* an empty list */
    /* what nobody declared */
    { { { TEXT, "out/extra", "x" }, { TEXT, "out/extar", "x" } },
      "'out/extar' is no declared output; did you mean 'out/extra'?" },
    { { { TEXT, "out/all/dump", "x" } }, "did you mean 'out/all/dumps'?" },
    { { { TEXT, "out/potential.pb", "x" } },
      "'out/potential.pb' is no declared output; declare it in" },
    { { { DIRECTORY, "out/scratch_files", NULL } },
      "'out/scratch_files' is no declared output" },
    { { { TEXT, "out/model/anything", "x" } }, NULL },
    { { { DIRECTORY, "out/model/sub", NULL } }, NULL },
    /* what stands elsewhere */
    { { { TEXT, "run.out", "x" } }, NULL },
    { { { DIRECTORY, "run", NULL }, { TEXT, "run/taken.out", "x" } }, NULL },
    { { { DIRECTORY, "run", NULL },
        { TEXT, "run/taken.out", "x" },
        { TEXT, "out/taken", "x" } },
      "output 'taken': both 'run/taken.out' and 'out/taken' are there" },
    { { { DIRECTORY, "run", NULL }, { LINK, "run/taken.out", "x" } },
      "run/taken.out' is a link; copy the file instead" },
    { { { LINK, "run", "out/model" }, { TEXT, "out/model/taken.out", "x" } },
      "run' is a link" },
    { { { REMOVE, "out", NULL },
        { LINK, "out", "." },
        { DIRECTORY, "run", NULL },
        { TEXT, "run/taken.out", "x" } },
      "out' is a link" },
    /* links and special files, declared or not */
    { { { LINK, "out/extra", "frames.extxyz" } }, NULL },
    { { { LINK, "out/model/x", "../frames.extxyz" } }, NULL },
    { { { LINK, "out/extra", "/etc/passwd" } },
      "is a link to '/etc/passwd', which is not inside out/" },
    { { { LINK, "out/extra", "../params.json" } }, "is not inside out/" },
    { { { LINK, "out/model/x", "../../params.json" } }, "not inside out/" },
    { { { LINK, "out/model/x", "../../out/frames.extxyz" } },
      "is not inside out/" }, /* climbs out on its way */
    { { { LINK, "out/extra", "nowhere" } }, "is not inside out/" },
    { { { LINK, "out/extra", "extra" } }, "is not inside out/" },
    { { { LINK, "out/all/up", ".." },
        { LINK, "out/x", "all/up/../params.json" } },
      "is not inside out/" }, /* all/up/.. is out/.. */
    { { { PIPE, "out/model/pipe", NULL } },
      "out/model/pipe' is neither a file nor a directory" },
    { { { REMOVE, "out", NULL }, { LINK, "out", "/tmp" } },
      "out' is a link; it must be a directory" },
};

static void test_table (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct error err = ERROR_INIT;
        char *dir = make_task (rows[i].steps);
        struct json *checked = NULL;

        if (output_tree_take (ports, dir, &err) == 0)
            checked = outputs_check (ports, dir, &sizes, NULL, &err);
        if (!checked != (rows[i].message != NULL))
            fail_msg ("row %zu: %s", i, checked ? "passed" : err.text);
        if (!checked && !strstr (err.text, rows[i].message))
            fail_msg ("'%s' is not in '%s'", rows[i].message, err.text);
        json_unref (checked);
        temp_dir_remove (dir);
    }
}

static const char *text_at (const struct json *v, const char *port,
                            const char *key)
{
    return json_as_string (
        json_get (json_get (json_get (v, "artifacts"), port), key));
}

static void test_what_is_said_of_good_outputs (void **state)
{
    static const struct step none[] = { { END, NULL, NULL } };
    char *dir = make_task (none);
    struct json *v = outputs_check (ports, dir, &sizes, NULL, NULL);
    const struct json *dumps;

    (void)state;
    assert_non_null (v);
    assert_true (json_as_double (json_get (json_get (v, "params"), "rmse"))
                 == 0.25);
    assert_true (json_is_null (json_get (json_get (v, "params"), "steps")));
    assert_non_null (json_get (json_get (v, "params"), "steps"));
    assert_string_equal (text_at (v, "frames", "path"), "frames.extxyz");
    assert_string_equal (
        text_at (v, "frames", "sha256"),
        "b4f3273708214dd193a7a5312cb2d9aea508a52877c12adf114551d9c01ee3ab");
    dumps = json_get (json_get (v, "artifacts"), "dumps");
    assert_string_equal (json_as_string (json_get (dumps, "path")),
                         "all/dumps");
    assert_int_equal (json_as_int (json_get (dumps, "bytes")), 3);
    assert_int_equal (json_count (json_get (dumps, "entries")), 2);
    assert_string_equal (
        json_as_string (json_at (json_get (dumps, "entries"), 0)), "a");
    assert_null (
        json_get (json_get (json_get (v, "artifacts"), "model"), "entries"));
    assert_true (json_is_null (json_get (json_get (v, "artifacts"), "extra")));
    json_unref (v);
    temp_dir_remove (dir);
}

static void test_values (void **state)
{
    static const struct {
        const char *port, *value;
    } wanted[] = {
        { "rmse", "0.25" },
        { "steps", "null" },
        { "model", "\"j/out/model\"" },
        { "frames", "\"j/out/frames.extxyz\"" },
        { "dumps", "[\"j/out/all/dumps/a\",\"j/out/all/dumps/b\"]" },
        { "extra", "null" },
    };
    static const struct step none[] = { { END, NULL, NULL } };
    char *dir = make_task (none);
    struct json *checked = outputs_check (ports, dir, &sizes, NULL, NULL);

    (void)state;
    assert_non_null (checked);
    for (size_t i = 0; i < ARRAY_SIZE (wanted); i++) {
        struct json *v =
            output_value (port_find (ports, wanted[i].port), checked, "j/out");
        struct strbuf text = STRBUF_INIT;

        json_dump (v, JSON_COMPACT, &text);
        assert_string_equal (text.buf, wanted[i].value);
        strbuf_release (&text);
        json_unref (v);
    }
    json_unref (checked);
    temp_dir_remove (dir);
}

static void test_what_is_taken (void **state)
{
    static const struct step steps[] = {
        { DIRECTORY, "run", NULL },
        { TEXT, "run/taken.out", "x" },
        { END, NULL, NULL },
    };
    static const struct port missing[] = {
        { .name = "curve",
          .type = { .kind = TYPE_FILE },
          .take = "lcurve.out" },
        { 0 },
    };
    char *dir = make_task (steps);
    char *from = path_join (dir, "run/taken.out");
    char *to = path_join (dir, "out/taken");
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (output_tree_take (ports, dir, NULL), 0);
    assert_false (file_exists (from));
    assert_true (file_exists (to));
    assert_int_equal (output_tree_take (missing, dir, NULL), 0);
    assert_int_equal (file_remove_tree (to, NULL, NULL), 0);
    free (from);
    from = path_join (dir, "out");
    assert_int_equal (file_remove_tree (from, NULL, NULL), 0);
    free (to);
    to = path_join (dir, "params.json");
    assert_int_equal (file_remove_tree (to, NULL, NULL), 0);
    assert_null (outputs_check (missing, dir, &sizes, NULL, &err));
    assert_string_equal (err.text,
                         "output 'curve' is missing; the command did not "
                         "write 'lcurve.out' in its working directory");
    free (to);
    free (from);
    temp_dir_remove (dir);
}

static void test_nothing_declared (void **state)
{
    static const struct step none[] = { { REMOVE, "out", NULL },
                                        { REMOVE, "params.json", NULL },
                                        { END, NULL, NULL } };
    char *dir = make_task (none);
    struct json *v = outputs_check (NULL, dir, &sizes, NULL, NULL);

    (void)state;
    assert_non_null (v);
    assert_int_equal (json_count (json_get (v, "params")), 0);
    json_unref (v);
    temp_dir_remove (dir);
}

static void test_paths (void **state)
{
    static const struct {
        struct port port;
        const char *path;
    } cases[] = {
        { { .name = "a", .type = { .kind = TYPE_FILE } }, "a" },
        { { .name = "a", .type = { .kind = TYPE_FRAMES } }, "a.extxyz" },
        { { .name = "a", .type = { .kind = TYPE_NPY } }, "a.npy" },
        { { .name = "a", .type = { .kind = TYPE_FRAMES, .depth = 1 } }, "a" },
        { { .name = "a", .type = { .kind = TYPE_NPY }, .path = "b.x" }, "b.x" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf path = STRBUF_INIT;

        output_path (&cases[i].port, &path);
        assert_string_equal (path.buf, cases[i].path);
        strbuf_release (&path);
    }
}

/* --- lists of lists, and named sizes --- */

static const struct port many[] = {
    { .name = "dumps", .type = { .kind = TYPE_FILE, .depth = 2 } },
    { .name = "maps",
      .type = { .kind = TYPE_NPY,
                .depth = 3,
                .n_dims = 2,
                .shape = { -1, 3 },
                .sizes = { "n" } },
      .optional = true },
    { .name = "mean",
      .type = { .kind = TYPE_NPY,
                .n_dims = 2,
                .shape = { -1, 3 },
                .sizes = { "n" } },
      .optional = true },
    { .name = "grid",
      .type = { .kind = TYPE_INT, .depth = 2 },
      .optional = true },
    { 0 },
};

static const struct {
    struct step steps[4];
    const char *file; /* an array of 4 rows is put there, too; NULL: none */
    const char *message;
} nested[] = {
    { { { END, NULL, NULL } }, NULL, NULL },
    { { { TEXT, "out/dumps/c", "x" } },
      NULL,
      "output 'dumps': 'c' is not a directory" },
    { { { DIRECTORY, "out/dumps/a/z", NULL } },
      NULL,
      "output 'dumps': 'a/z' is not a regular file" },
    { { { TEXT, "out/dumps/a/l", "x" }, { LINK, "out/dumps/d", "a" } },
      NULL,
      NULL },
    { { { LINK, "out/dumps/d", "../../in" } }, NULL, "is not inside out/" },
    { { { TEXT, "params.json", "{\"grid\": [[1], [2, 3]]}" } }, NULL, NULL },
    { { { TEXT, "params.json", "{\"grid\": [[1], 2]}" } },
      NULL,
      "output 'grid': [1]: expected list of int" },
    { { { END, NULL, NULL } },
      "out/mean.npy",
      "size 'n' is 2 in output 'maps[0][0][0]' and 4 in output 'mean'" },
    { { { END, NULL, NULL } },
      "out/maps/a/b/two.npy",
      "size 'n' is 2 in output 'maps[0][0][0]' and 4 in output "
      "'maps[0][1][0]'" },
    { { { REMOVE, "out/maps/a/a", NULL } }, "out/maps/a/b/two.npy", NULL },
    { { { TEXT, "out/maps/a/a/x.npy", "x" } }, NULL, "not an npy file" },
};

static char *make_nested (size_t row)
{
    static const struct step first[] = {
        { TEXT, "out/dumps/b/y", "x" },
        { TEXT, "out/dumps/a/k", "x" },
        { TEXT, "out/dumps/a/j", "x" },
        { DIRECTORY, "out/dumps/c0", NULL },
        { DIRECTORY, "out/maps/a/a", NULL },
    };
    char *dir = temp_dir_make ();

    for (size_t i = 0; i < ARRAY_SIZE (first); i++) {
        char *path = path_join (dir, first[i].path);

        assert_int_equal (file_make_parent (path, NULL), 0);
        free (path);
        perform (dir, &first[i]);
    }
    npy_put (dir, "out/maps/a/a/one.npy", 2);
    for (const struct step *step = nested[row].steps; step->what != END; step++)
        perform (dir, step);
    if (nested[row].file)
        npy_put (dir, nested[row].file, 4);
    return dir;
}

static void test_nested (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (nested); i++) {
        struct sizes named = SIZES_INIT;
        struct error err = ERROR_INIT;
        char *dir = make_nested (i);
        struct json *checked = outputs_check (many, dir, &named, NULL, &err);

        if (!checked != (nested[i].message != NULL))
            fail_msg ("row %zu: %s", i, checked ? "passed" : err.text);
        if (!checked && !strstr (err.text, nested[i].message))
            fail_msg ("'%s' is not in '%s'", nested[i].message, err.text);
        sizes_release (&named);
        json_unref (checked);
        temp_dir_remove (dir);
    }
}

static void test_nested_values (void **state)
{
    struct sizes named = SIZES_INIT;
    char *dir = make_nested (0);
    struct json *checked = outputs_check (many, dir, &named, NULL, NULL);
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    (void)state;
    assert_non_null (checked);
    assert_int_equal (sizes_find (&named, "n"), 2);
    v = output_value (&many[0], checked, "s/out");
    json_dump (v, JSON_COMPACT, &text);
    assert_string_equal (text.buf, "[[\"s/out/dumps/a/j\",\"s/out/dumps/a/k\"],"
                                   "[\"s/out/dumps/b/y\"],[]]");
    json_unref (v);
    strbuf_reset (&text);
    v = output_value (&many[1], checked, "s/out");
    json_dump (v, JSON_COMPACT, &text);
    assert_string_equal (text.buf, "[[[\"s/out/maps/a/a/one.npy\"]]]");
    json_unref (v);
    strbuf_release (&text);
    json_unref (checked);
    sizes_release (&named);
    temp_dir_remove (dir);
}

/* Sizes of the inputs hold for outputs. */
static void test_sizes_of_inputs (void **state)
{
    static const struct type found = { .kind = TYPE_NPY,
                                       .n_dims = 2,
                                       .shape = { 3, 3 } };
    struct sizes named = SIZES_INIT;
    struct error err = ERROR_INIT;
    char *dir = make_nested (0);

    (void)state;
    assert_int_equal (
        sizes_note (&named, &many[1].type, &found, "input", "images", NULL), 0);
    assert_null (outputs_check (many, dir, &named, NULL, &err));
    assert_string_equal (err.text, "size 'n' is 3 in input 'images' and 2 in "
                                   "output 'maps[0][0][0]'");
    sizes_release (&named);
    temp_dir_remove (dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_table),
        cmocka_unit_test (test_what_is_said_of_good_outputs),
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_what_is_taken),
        cmocka_unit_test (test_nothing_declared),
        cmocka_unit_test (test_paths),
        cmocka_unit_test (test_nested),
        cmocka_unit_test (test_nested_values),
        cmocka_unit_test (test_sizes_of_inputs),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
