/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_result_json.c - out/result.json of a task */
#include "base/base.h"

#include "handover/task_result.h"
#include "fuzz.h"
#include "signature/operator.h"
#include "signature/outputs.h"

static const struct port ports[] = {
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = "model", .type = { .kind = TYPE_FILE } },
    { .name = "frames", .type = { .kind = TYPE_FRAMES, .depth = 1 } },
    { 0 },
};

static void must_be_inside (const struct json *v)
{
    const char *path = json_as_string (v);

    for (size_t i = 0; i < json_count (v); i++)
        must_be_inside (json_at (v, i));
    if (json_kind (v) != JSON_KIND_STRING)
        return;
    must_hold (strncmp (path, "/out/", 5) == 0 && !strstr (path, "/../"),
               "an artifact is below out/");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static const struct stage_place place = { "train", "linear", 3, 0 };
    struct error err = ERROR_INIT;
    struct json *result = json_parse ((const char *)data, size, "r", NULL);
    int rc = result ? task_result_check (result, &place, 2, &err) : -1;

    must_hold (!result || rc == 0 || err.text[0], "good or a complaint");
    for (const struct port *port = ports; rc == 0 && port->name; port++) {
        struct json *v = output_value (port, result, "/out");

        if (type_is_artifact (&port->type))
            must_be_inside (v);
        json_unref (v);
    }
    json_unref (result);
    return 0;
}
