/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_deepmd_train.c - input.json as it is completed, checkpoints to
 * go on from, and how dp says that it failed
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/json.h"
#include "fixture.h"
#include "operators/deepmd/backend.h"
#include "operators/deepmd/train.h"
#include "operators/deepmd/train_input.h"
#include "operators/kit.h"
#include "temp_dir.h"

/* --- input.json --- */

/* Three data sets of 1, 2 and 1 systems. */
static char *paths[] = { "a/O", "b/O", "b/HO", "c/HO", NULL };
static size_t n_of_set[] = { 2, 1, 1 };
static uint64_t frames_of_set[] = { 10, 50, 20 };
static const struct deepmd_systems systems = { .paths = { paths, 4, 5 },
                                               .n_of_set = n_of_set,
                                               .frames_of_set = frames_of_set,
                                               .n_sets = 3 };
static const struct deepmd_systems no_systems = DEEPMD_SYSTEMS_INIT;

static char *symbols[] = { "O", "H", NULL };
static const struct strvec elements = { symbols, 2, 3 };

static struct json *complete (const char *text, const char *reuse,
                              const struct deepmd_systems *validation,
                              struct error *err)
{
    struct json *changes =
        reuse ? json_parse (reuse, strlen (reuse), "reuse", NULL) : NULL;
    const struct deepmd_completion with = { .elements = &elements,
                                            .training = &systems,
                                            .validation = validation,
                                            .seed = 4711,
                                            .reuse = changes };
    struct json *v =
        deepmd_input_complete (text, strlen (text), "input.json", &with, err);

    json_unref (changes);
    return v;
}

/* Seeds are numbers that nobody writes down. */
static void hide_seeds (struct json *v, int *n)
{
    if (json_get (v, "seed")) {
        json_set (v, "seed", json_string ("S"));
        ++*n;
    }
    JSON_FOREACH (v, it)
        hide_seeds (json_iter_value (it), n);
    for (size_t i = 0; json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++)
        hide_seeds (json_at (v, i), n);
}

#define SYSTEMS "\"systems\":[\"a/O\",\"b/O\",\"b/HO\",\"c/HO\"]"
#define MAP "\"type_map\":[\"O\",\"H\"]"
#define SEED "\"seed\":\"S\""

static const struct {
    const char *what, *text, *reuse, *expected;
    bool validated;
} completions[] = {
    { "least", "{\"model\": {}, \"training\": {\"numb_steps\": 9}}", NULL,
      "{\"model\":{" MAP "},\"training\":{\"numb_steps\":9," SEED
      ",\"training_data\":{" SYSTEMS "}}}",
      false },
    { "comments stay",
      "{\"_a\": [1], \"model\": {\"_b\": \"x\"}, \"training\": {\"num_epoch\": "
      "9}}",
      NULL,
      "{\"_a\":[1],\"model\":{\"_b\":\"x\"," MAP
      "},\"training\":{\"num_epoch\":9," SEED ",\"training_data\":{" SYSTEMS
      "}}}",
      false },
    { "parts of a model",
      "{\"model\": {\"type_map\": [\"O\", \"H\", \"C\"], \"descriptor\": {}, "
      "\"fitting_net\": {}, \"type_embedding\": {}}, \"training\": "
      "{\"numb_steps\": 9}}",
      NULL,
      "{\"model\":{\"type_map\":[\"O\",\"H\",\"C\"],\"descriptor\":{" SEED
      "},\"fitting_net\":{" SEED "},\"type_embedding\":{" SEED
      "}},\"training\":{\"numb_steps\":9," SEED ",\"training_data\":{" SYSTEMS
      "}}}",
      false },
    { "a hybrid descriptor has no seed, its parts have",
      "{\"model\": {\"descriptor\": {\"type\": \"hybrid\", \"list\": [{}, "
      "{\"type\": \"loc_frame\"}]}}, \"training\": {\"numb_steps\": 9}}",
      NULL,
      "{\"model\":{\"descriptor\":{\"type\":\"hybrid\",\"list\":[{" SEED
      "},{\"type\":\"loc_frame\"}]}," MAP
      "},\"training\":{\"numb_steps\":9," SEED ",\"training_data\":{" SYSTEMS
      "}}}",
      false },
    { "a sum of models",
      "{\"model\": {\"models\": [{\"descriptor\": {}}, {\"type\": "
      "\"pairtab\"}]}, \"training\": {\"numb_steps\": 9}}",
      NULL,
      "{\"model\":{\"models\":[{\"descriptor\":{" SEED
      "}},{\"type\":\"pairtab\"}]," MAP "},\"training\":{\"numb_steps\":9," SEED
      ",\"training_data\":{" SYSTEMS "}}}",
      false },
    { "batch sizes of data sets, the last for all that follow",
      "{\"model\": {}, \"training\": {\"training_data\": {\"batch_size\": [1, "
      "2]}, \"numb_steps\": 9}}",
      NULL,
      "{\"model\":{" MAP
      "},\"training\":{\"training_data\":{\"batch_size\":[1,1,2,2]," SYSTEMS
      "},\"numb_steps\":9," SEED "}}",
      false },
    { "version 1",
      "{\"model\": {}, \"training\": {\"batch_size\": 4, \"stop_batch\": 9}}",
      "{\"steps\": 5, \"old_ratio\": 0.5}",
      "{\"model\":{" MAP "},\"training\":{\"batch_size\":4," SEED
      ",\"stop_batch\":5,\"auto_prob_style\":\"prob_sys_size; "
      "0:3:0.500000; 3:4:0.500000\"," SYSTEMS "}}",
      false },
    { "a new frame counts 10 times as much where no weight is given",
      "{\"model\": {}, \"training\": {\"numb_steps\": 9}}",
      "{\"old_ratio\": \"auto\"}",
      "{\"model\":{" MAP "},\"training\":{\"numb_steps\":9," SEED
      ",\"training_data\":{\"auto_prob\":\"prob_sys_size; "
      "0:3:0.230769; 3:4:0.769231\"," SYSTEMS "}}}",
      false },
    { "validation",
      "{\"model\": {}, \"training\": {\"numb_steps\": 9, \"validation_data\": "
      "{\"numb_btch\": 3}}}",
      NULL,
      "{\"model\":{" MAP "},\"training\":{\"numb_steps\":9,\"validation_data\":"
      "{\"numb_btch\":3," SYSTEMS "}," SEED ",\"training_data\":{" SYSTEMS
      "}}}",
      true },
    { "a model trained further",
      "{\"model\": {}, \"learning_rate\": {\"start_lr\": 1e-3, \"stop_lr\": "
      "1e-8}, \"loss\": {\"start_pref_e\": 0.02}, \"training\": "
      "{\"num_epoch\": "
      "9}}",
      "{\"steps\": 5, \"start_lr\": 0.25, \"start_pref_e\": 1, "
      "\"start_pref_f\": 2, \"start_pref_v\": 3, \"old_ratio\": \"auto:3\"}",
      "{\"model\":{" MAP
      "},\"learning_rate\":{\"start_lr\":0.25,\"stop_lr\":1e-08},\"loss\":{"
      "\"start_pref_e\":1,\"start_pref_f\":2,\"start_pref_v\":3},\"training\":"
      "{" SEED
      ",\"numb_steps\":5,\"training_data\":{\"auto_prob\":\"prob_sys_size; "
      "0:3:0.500000; 3:4:0.500000\"," SYSTEMS "}}}",
      false },
};

static void test_completions (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (completions); i++) {
        struct error err = ERROR_INIT;
        struct strbuf text = STRBUF_INIT;
        int n = 0;
        struct json *v =
            complete (completions[i].text, completions[i].reuse,
                      completions[i].validated ? &systems : &no_systems, &err);

        if (!v)
            fail_msg ("%s: %s", completions[i].what, err.text);
        hide_seeds (v, &n);
        json_dump (v, JSON_COMPACT, &text);
        if (strcmp (text.buf, completions[i].expected) != 0)
            fail_msg ("%s:\n%s\n%s", completions[i].what, text.buf,
                      completions[i].expected);
        strbuf_release (&text);
        json_unref (v);
    }
}

/* No two are the same, and another task has others. */
static void test_seeds (void **state)
{
    static const char text[] =
        "{\"model\": {\"descriptor\": {}, \"fitting_net\": {}}, \"training\": "
        "{\"numb_steps\": 9}}";
    struct json *v = complete (text, NULL, &no_systems, NULL);
    int64_t a = json_as_int (json_get_path (v, "model.descriptor.seed"));
    int64_t b = json_as_int (json_get_path (v, "model.fitting_net.seed"));
    int64_t c = json_as_int (json_get_path (v, "training.seed"));

    (void)state;
    assert_true (a > 0 && b > 0 && c > 0);
    assert_true (a <= INT32_MAX && b <= INT32_MAX && c <= INT32_MAX);
    assert_true (a != b && b != c && a != c);
    json_unref (v);
}

#define TRAINING "\"training\": {\"numb_steps\": 9}"

static const struct {
    const char *text, *message;
} refusals[] = {
    { "{", "input.json:1" },
    { "[]", "input.json: there is no 'model'" },
    { "{\"model\": {}}", "input.json: there is no 'training'" },
    { "{\"model\": {},\n\"training\": {}}",
      "input.json:2: 'training' does not say how long; add numb_steps" },
    { "{\"model\": {\"descriptor\": {\"list\": [{},\n{\"seed\": "
      "1}]}}, " TRAINING "}",
      "input.json:2: 'model.descriptor.list[1].seed' is filled in by Fanfold" },
    { "{\"model\": {},\n\n\"training\": {\"seed\": 1}}",
      "input.json:3: 'training.seed'" },
    { "{\"model\": {}, \"training\": {\"systems\": \"x\"}}",
      "'training.systems' is filled in by Fanfold for every model; write "
      "datasets of the stage" },
    { "{\"model\": {}, \"training\": {\"validation_data\": {\"systems\": 1}}}",
      "write validation of the stage" },
    { "{\"model\": {}, \"training\": {\"training_data\": {\"sys_probs\": []}}}",
      "write auto_prob" },
    { "{\"model\": {\"model_dict\": {}}, " TRAINING "}",
      "'model.model_dict' is of a training of several tasks" },
    { "{\"model\": {}, \"training\": {\"data_dict\": {}}}",
      "'training.data_dict' is of a training of several tasks" },
    { "{\"model\": {\"type_map\": [\"H\", \"O\"]}, " TRAINING "}",
      "'model.type_map' has 'H' as type 0, where the elements of the campaign "
      "have 'O'" },
    { "{\"model\": {\"type_map\": [\"O\"]}, " TRAINING "}",
      "'model.type_map' has '' as type 1" },
    { "{\"model\": {\"type_map\": 7}, " TRAINING "}", "'model.type_map'" },
    { "{\"model\": {}, \"training\": {\"disp_file\": \"curve\"}}",
      "'training.disp_file' is a name that Fanfold looks for" },
    { "{\"model\": {}, \"training\": {\"save_ckpt\": \"ck/m\"}}",
      "'training.save_ckpt'" },
};

static void test_refusals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (refusals); i++) {
        struct error err = ERROR_INIT;

        assert_null (complete (refusals[i].text, NULL, &no_systems, &err));
        if (!strstr (err.text, refusals[i].message))
            fail_msg ("%s\n%s", err.text, refusals[i].message);
    }
}

/* --- checkpoints --- */

/* Files are written in their order, "NAME" or "NAME -> TARGET". */
static const struct {
    const char *what, *backend;
    const char *files[8];
    const char *pointer; /* in the file `checkpoint`; NULL: there is none */
    const char *found;   /* NULL: nothing to go on from */
} left[] = {
    { "nothing", "pt", { NULL }, NULL, NULL },
    { "a checkpoint",
      "pt",
      { "model.ckpt-20.pt", "model.ckpt.pt -> model.ckpt-20.pt" },
      "model.ckpt-20.pt",
      "model.ckpt-20.pt" },
    { "the next one is being written",
      "pt",
      { "model.ckpt-20.pt", "model.ckpt.pt -> model.ckpt-20.pt",
        "model.ckpt-40.pt" },
      "model.ckpt-20.pt",
      "model.ckpt-20.pt" },
    { "the first is being written", "pt", { "model.ckpt-20.pt" }, NULL, NULL },
    { "the link is gone, and not yet there",
      "pt",
      { "model.ckpt-20.pt", "model.ckpt-40.pt" },
      "model.ckpt-20.pt",
      "model.ckpt-20.pt" },
    { "the name is being written",
      "pt",
      { "model.ckpt-20.pt", "model.ckpt.pt -> model.ckpt-20.pt" },
      "",
      "model.ckpt.pt" },
    { "the one that is named was removed",
      "pt",
      { "model.ckpt-40.pt", "model.ckpt.pt -> model.ckpt-40.pt" },
      "model.ckpt-20.pt",
      "model.ckpt.pt" },
    { "named where it was",
      "jax",
      { "model.ckpt-20.jax" },
      "/elsewhere/model.ckpt-20.jax",
      "model.ckpt-20.jax" },
    { "TensorFlow",
      "tf",
      { "model.ckpt-20.index", "model.ckpt-20.meta",
        "model.ckpt-20.data-00000-of-00001" },
      "model_checkpoint_path: \"model.ckpt-20\"\n"
      "all_model_checkpoint_paths: \"model.ckpt-10\"\n",
      "model.ckpt-20" },
    { "TensorFlow: a file is missing, and links are of two",
      "tf",
      { "model.ckpt-20.index", "model.ckpt-20.meta",
        "model.ckpt.index -> model.ckpt-20.index",
        "model.ckpt.meta -> model.ckpt-10.meta" },
      "model_checkpoint_path: \"model.ckpt-20\"\n",
      NULL },
};

static void make_left (const char *const *files, const char *pointer)
{
    for (; *files; files++) {
        const char *target = strstr (*files, " -> ");
        char *name = xasprintf (
            "%.*s", target ? (int)(target - *files) : (int)strlen (*files),
            *files);

        if (target)
            assert_int_equal (symlink (target + 4, name), 0);
        else
            write_text (name, *files);
        free (name);
    }
    if (pointer)
        write_text ("checkpoint", pointer);
}

static void test_last_checkpoint (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (left); i++) {
        struct temp_dir dir;
        char *found;

        temp_dir_enter (&dir);
        make_left (left[i].files, left[i].pointer);
        found = deepmd_last_checkpoint (deepmd_backend_find (left[i].backend));
        if (!found != !left[i].found
            || (found && strcmp (found, left[i].found) != 0))
            fail_msg ("%s: %s", left[i].what, found ? found : "none");
        free (found);
        temp_dir_leave (&dir);
    }
}

/* The file is copied, not the link; TensorFlow's three together; what is there
 * can be gone on from.
 */
static void test_keep_checkpoint (void **state)
{
    static const struct {
        const char *backend;
        size_t row;
        const char *moved;
    } cases[] = {
        { "pt", 1, "out/model.ckpt.pt" },
        { "tf", 8, "out/model.ckpt.data-00000-of-00001" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct deepmd_backend *backend =
            deepmd_backend_find (cases[i].backend);
        struct error err = ERROR_INIT;
        struct temp_dir dir;
        char *last;

        temp_dir_enter (&dir);
        assert_int_equal (deepmd_keep_checkpoint (backend, "out", &err), -1);
        assert_non_null (strstr (err.text, "left no model.ckpt"));
        make_left (left[cases[i].row].files, left[cases[i].row].pointer);
        assert_int_equal (deepmd_keep_checkpoint (backend, "out", NULL), 0);
        assert_int_equal (readlink (cases[i].moved, dir.before, 1), -1);
        assert_true (file_exists (cases[i].moved));
        assert_non_null (last = deepmd_last_checkpoint (backend));
        free (last);
        temp_dir_leave (&dir);
    }
}

static const struct {
    const char *backend, *input;
    const char *files[4];
    const char *expected; /* path, or a part of the message */
} starts[] = {
    { "pt", "init_model", { "d/model.ckpt.pt", "d/x.pt" }, "d/model.ckpt.pt" },
    { "pt", "finetune", { "d/dpa.pt" }, "d/dpa.pt" },
    { "pt", "init_frz", { "d/graph.pth", "d/model.ckpt.pt" }, "d/graph.pth" },
    { "pt", "init_frz", { "d/m.pt2" }, "d/m.pt2" },
    { "tf", "finetune", { "d/graph.pb" }, "d/graph.pb" },
    { "tf",
      "init_model",
      { "d/model.ckpt.index", "d/model.ckpt.meta" },
      "d/model.ckpt" },
    { "tf", "restart", { "d/old.index" }, "d/old" },
    { "pt",
      "init_model",
      { "d/a.pt", "d/b.pt" },
      "'d' has 2 files that end in .pt, and none is called model.ckpt.pt" },
    { "pt",
      "init_model",
      { "d/a.pb" },
      "'d' has no model.ckpt.pt, nor another file that ends in .pt" },
    { "jax",
      "init_frz",
      { "d/graph.hlo" },
      "the backend jax cannot begin with a frozen model" },
};

static void test_starts (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (starts); i++) {
        const struct deepmd_backend *backend =
            deepmd_backend_find (starts[i].backend);
        struct error err = ERROR_INIT;
        struct temp_dir dir;
        char *path;

        temp_dir_enter (&dir);
        assert_int_equal (file_make_dirs ("d", NULL), 0);
        make_left (starts[i].files, NULL);
        path = deepmd_start_model (backend, starts[i].input, "d", &err);
        if (path ? strcmp (path, starts[i].expected) != 0
                 : !strstr (err.text, starts[i].expected))
            fail_msg ("%s: %s", starts[i].expected, path ? path : err.text);
        free (path);
        temp_dir_leave (&dir);
    }
}

/* --- endings --- */

#define TF_WITHOUT_GPU                                                         \
    "2023-02-01 10:00:00.100000: W tensorflow/stream_executor/platform/"       \
    "default/dso_loader.cc:64] Could not load dynamic library "                \
    "'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared "     \
    "object file: No such file or directory\n"                                 \
    "2024-02-01 10:00:00.100000: E external/local_xla/xla/stream_executor/"    \
    "cuda/cuda_driver.cc:152] failed call to cuInit: INTERNAL: CUDA error: "   \
    "Failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is "  \
    "detected\n"
#define TRACEBACK                                                              \
    "Traceback (most recent call last):\n  File \"t.py\", line 7, in step\n"

static const struct {
    const char *fixture; /* or what it printed: */
    const char *printed;
    enum ending ending;
    const char *message;
} endings[] = {
    { "deepmd/training/badkey.log", NULL, ENDING_MISTAKE,
      "ValueError: Single-task mode requires either training.numb_steps or "
      "training.num_epoch.; File "
      "\"/usr/lib/python3/dist-packages/deepmd/utils/argcheck.py\", line 3985, "
      "in training_extra_check" },
    { "deepmd/training/missing_data.log", NULL, ENDING_MISTAKE,
      "FileNotFoundError: ../c4 not found; File "
      "\"/usr/lib/python3/dist-packages/deepmd/utils/path.py\", line 47, in "
      "__new__" },
    { NULL, "dp: error: unrecognized arguments: --pt\n", ENDING_MISTAKE,
      "dp: error: unrecognized arguments: --pt" },
    { NULL,
      "Traceback (most recent call last):\n"
      "  File \"t.py\", line 7, in step\n"
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\n",
      ENDING_PASSING,
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB; "
      "File \"t.py\", line 7, in step" },
    /* what TensorFlow says of a node without GPU, and goes on */
    { NULL, TF_WITHOUT_GPU "[..] DEEPMD INFO    Start to train 40 steps.\n",
      ENDING_UNKNOWN, "" },
    { NULL, TF_WITHOUT_GPU TRACEBACK "KeyError: 'rcut'\n", ENDING_MISTAKE,
      "KeyError: 'rcut'; File \"t.py\", line 7, in step" },
    { NULL,
      "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.0GiB. The "
      "caller indicates that this is not a failure\n" TRACEBACK
      "ValueError: no such descriptor\n",
      ENDING_MISTAKE,
      "ValueError: no such descriptor; File \"t.py\", line 7, in step" },
    /* one that was caught, the last one, and one at the end of Python */
    { NULL,
      TRACEBACK "AttributeError: x\n\nDuring handling of the above "
                "exception, another exception occurred:\n\n" TRACEBACK
                "TypeError: y\nException ignored in: <f>\n" TRACEBACK
                "OSError: [Errno 9] Bad file descriptor\n",
      ENDING_MISTAKE, "TypeError: y; File \"t.py\", line 7, in step" },
    /* what a loader of data met */
    { NULL,
      TRACEBACK "RuntimeError: Caught OSError in DataLoader worker process 0.\n"
                "Original " TRACEBACK
                "OSError: [Errno 28] No space left on device\n",
      ENDING_PASSING,
      "OSError: [Errno 28] No space left on device; File \"t.py\", line 7, in "
      "step" },
    /* what may pass */
    { NULL, "OSError: [Errno 116] Stale file handle: 'model.ckpt-20.pt'\n",
      ENDING_PASSING,
      "OSError: [Errno 116] Stale file handle: 'model.ckpt-20.pt'" },
    { NULL, "OSError: [Errno 28] No space left on device\n", ENDING_PASSING,
      "OSError: [Errno 28] No space left on device" },
    { NULL, "BlockingIOError: [Errno 11] Unable to open file\n", ENDING_PASSING,
      "BlockingIOError: [Errno 11] Unable to open file" },
    { NULL, TRACEBACK "MemoryError\n", ENDING_PASSING,
      "MemoryError; File \"t.py\", line 7, in step" },
    { NULL,
      "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of "
      "memory allocating 9 bytes.\n",
      ENDING_PASSING,
      "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of "
      "memory allocating 9 bytes." },
    { NULL, "PermissionError: [Errno 13] Permission denied: 'x'\n",
      ENDING_MISTAKE, "PermissionError: [Errno 13] Permission denied: 'x'" },
    { NULL, "RuntimeError: CUDA error: device-side assert\n", ENDING_PASSING,
      "RuntimeError: CUDA error: device-side assert" },
    { NULL, "[..] DEEPMD INFO    Start to train 40 steps.\n", ENDING_UNKNOWN,
      "" },
    { NULL, "", ENDING_UNKNOWN, "" },
};

static void test_endings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (endings); i++) {
        struct strbuf printed = STRBUF_INIT, message = STRBUF_INIT;

        if (endings[i].fixture)
            fixture_read (endings[i].fixture, &printed);
        else
            strbuf_add_str (&printed, endings[i].printed);
        assert_int_equal (code_judge (&dp_code, printed.buf, true, &message),
                          endings[i].ending);
        assert_string_equal (message.buf, endings[i].message);
        strbuf_release (&printed);
        strbuf_release (&message);
    }
}

int main (void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_completions),
        cmocka_unit_test (test_seeds),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_last_checkpoint),
        cmocka_unit_test (test_keep_checkpoint),
        cmocka_unit_test (test_starts),
        cmocka_unit_test (test_endings),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
