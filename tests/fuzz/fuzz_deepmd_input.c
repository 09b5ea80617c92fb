/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_deepmd_input.c - input.json of people who train with DeePMD-kit: what is
 * completed has the data, and no seed of theirs
 */
#include "base/base.h"

#include "fuzz.h"
#include "operators/deepmd/train_input.h"

static char *paths[] = { "a/O", "b/O", "b/HO", NULL };
static size_t n_of_set[] = { 1, 2 };
static uint64_t frames_of_set[] = { 10, 50 };
static char *symbols[] = { "O", "H", NULL };

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const struct deepmd_systems systems = { .paths = { paths, 3, 4 },
                                            .n_of_set = n_of_set,
                                            .frames_of_set = frames_of_set,
                                            .n_sets = 2 };
    const struct strvec elements = { symbols, 2, 3 };
    struct json *reuse = json_parse ("{\"steps\": 5, \"old_ratio\": \"auto\"}",
                                     strlen ("{\"steps\": 5, \"old_ratio\": "
                                             "\"auto\"}"),
                                     "reuse", NULL);
    const struct deepmd_completion with = { .elements = &elements,
                                            .training = &systems,
                                            .validation = &systems,
                                            .seed = 1,
                                            .reuse = reuse };
    struct error err = ERROR_INIT;
    struct json *v =
        deepmd_input_complete ((const char *)data, size, "f.json", &with, &err);

    must_hold (v || err.text[0], "an input or a complaint");
    if (v) {
        must_hold (json_get_path (v, "training.seed"), "it has a seed");
        must_survive_writing (v);
    }
    json_unref (v);
    json_unref (reuse);
    return 0;
}
