/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_json.c - every JSON file and line */
#include "base/base.h"

#include "base/json_keys.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct error err = ERROR_INIT;
    struct json *v = json_parse ((const char *)data, size, "f.json", &err);
    struct json *copy;

    must_hold (v || err.text[0], "a value or a complaint");
    (void)json_key_line ((const char *)data, size, "a");
    if (!v)
        return 0;
    must_survive_writing (v);
    copy = json_deep_copy (v);
    must_hold (json_equal (v, copy), "a copy is equal");
    json_unref (copy);
    json_unref (v);
    return 0;
}
