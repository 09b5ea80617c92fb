/* SPDX-License-Identifier: BSD-3-Clause */
/* call_file.c - `call:`, what a campaign says that is a call of a function
 *
 * `fanfold call` writes it.
 */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/compilation.h"
#include "campaign/function_text.h"
#include "space/layout.h"

/* Six digits on disk. */
enum { NUMBER_MAX = 999999 };

void call_read (const struct yaml_node *node, void *record)
{
    static const struct field fields[] = {
        FIELD (struct call, function, TEXT),
        FIELD (struct call, number, COUNT, .most = NUMBER_MAX),
        FIELD (struct call, then, ARGV),
        FIELD_KEY ("type"),
        FIELD_KEY ("latest"),
        FIELDS_END,
    };
    struct plan *plan = record;
    struct call *call = arena_alloc (field_arena (node), sizeof (*call));
    const struct yaml_node *then = field_find (node, "then");
    size_t before = field_problems (node);

    if (field_record (node, "call", fields, call) < 0
        || field_problems (node) > before)
        return;
    if (!call->function || !layout_stage_name_ok (call->function)
        || !field_find (node, "number"))
        field_problem (node,
                       "call: does not say of which function, and which call; "
                       "write {function: NAME, number: N}");
    else if (then)
        then_check (then);
    plan->call = call;
}
