/* SPDX-License-Identifier: BSD-3-Clause */
/* call_result.c - what a call of a function made */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/call_result.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "signature/operator.h"
#include "signature/value.h"
#include "space/layout.h"

/* outputs.json is far smaller. */
enum { OUTPUTS_MAX_BYTES = 1 << 30 };

/* What one stage made, lent. */
static const struct json *stage_outputs (struct engine *engine,
                                         const char *stage, struct error *err)
{
    return outputs_store_get (engine->outputs, state_iteration (&engine->state),
                              stage, err);
}

struct json *call_outputs (struct engine *engine, const char *function,
                           const struct family *family, struct error *err)
{
    const struct family_output *output = family ? family->outputs : NULL;
    struct json *all;

    if (!family)
        return json_ref ((struct json *)stage_outputs (engine, function, err));
    all = json_object ();
    for (; output->name; output++) {
        const struct json *of_stage =
            stage_outputs (engine, output->stage, err);
        struct json *value = json_get (of_stage, output->output);

        if (!of_stage) {
            json_unref (all);
            return NULL;
        }
        json_set (all, output->name, value ? json_ref (value) : json_null ());
    }
    return all;
}

static void add_ports (const struct operator_spec *op, const struct port *ports,
                       const struct json *outputs, const char *dir,
                       struct json *result)
{
    for (; ports && ports->name; ports++) {
        const struct json *value = json_get (outputs, ports->name);
        struct type type;

        if (value && !json_get (result, ports->name)
            && operator_output_type (op, ports->name, &type))
            json_set (result, ports->name, value_absolute (&type, value, dir));
    }
}

struct json *call_result (const struct operator_spec *op,
                          const struct json *outputs, const char *function,
                          int number)
{
    struct json *result = json_object ();
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;

    layout_call_dir (function, number, &dir);
    add_ports (op, op->outputs, outputs, dir.buf, result);
    add_ports (op, op->collected, outputs, dir.buf, result);
    return result;
}

static int add_text (struct engine *engine, const char *stage,
                     struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *path = engine_stage_path (
        engine, state_iteration (&engine->state), stage, LAYOUT_OUTPUTS);

    return path ? file_read (path, OUTPUTS_MAX_BYTES, text, err)
                : error_set (err, "stage '%s' has made nothing", stage);
}

int call_result_id (struct engine *engine, const char *function,
                    const struct family *family, char hex[DIGEST_HEX_SIZE],
                    struct error *err)
{
    const char *const own[] = { function, NULL };
    const char *const *stage = family ? family->makers : own;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = 0;

    for (; rc == 0 && *stage; stage++)
        rc = add_text (engine, *stage, &text, err);
    if (rc == 0) {
        strbuf_add_str (&text, engine->state.id ? engine->state.id : "");
        digest_bytes (text.buf, text.len, hex);
    }
    return rc;
}
