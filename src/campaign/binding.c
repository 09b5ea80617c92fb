/* SPDX-License-Identifier: BSD-3-Clause */
/* binding.c - where the inputs of a stage come from */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "campaign/binding.h"
#include "campaign/constant.h"
#include "campaign/field_reader.h"
#include "campaign/plan.h"
#include "campaign/operator_file.h"
#include "signature/value.h"

/* One input being bound. */
struct binding_job {
    const struct plan *plan;
    const struct stage *stage;
    const struct yaml_node *at;  /* the stage's key */
    const char *dir;             /* the campaign's */
    const struct yaml_node *own; /* `operators:`, or NULL */
    const struct port *port;
    struct type wanted;
    const char *name;         /* "input 'model' of stage 'train'" */
    const char *default_json; /* the port's, or NULL */
    bool misplaced;           /* see struct binding_request */
    struct binding *binding;
};

/* --- types --- */

/* A file each: which of them is a matter of the declaration. */
static bool is_a_file (const struct type *type)
{
    return type->kind == TYPE_FILE || type->kind == TYPE_FRAMES
           || type->kind == TYPE_NPY;
}

/* The operator of the stage, or of the stages of a family; NULL: there is none.
 */
static const struct operator_spec *operator_of (const struct binding_job *job,
                                                const char *stage)
{
    const struct family *family = plan_family_find (job->plan, stage);
    int index = plan_stage_find (job->plan, stage);

    return family       ? family->op
           : index >= 0 ? job->plan->stages[index].op
                        : NULL;
}

/* "declare it as file in operator 'md.explore', or ", where one of the user's
 * own makes it (NULL: no operator does) and that would do.
 */
static void add_declaration (const struct binding_job *job,
                             const struct operator_spec *maker,
                             const struct type *got, struct strbuf *text)
{
    if (maker && field_find (job->own, maker->name) && is_a_file (got)
        && is_a_file (&job->wanted) && got->kind != job->wanted.kind
        && got->depth == job->wanted.depth)
        strbuf_addf (text, "declare it as %s in operator '%s', or ",
                     type_kind_name (job->wanted.kind), maker->name);
}

static void check_type (const struct binding_job *job,
                        const struct yaml_node *at, const char *text,
                        const struct operator_spec *maker,
                        const struct type *got)
{
    _cleanup_ (strbuf_release) struct strbuf says = STRBUF_INIT;

    if (got->kind == TYPE_NONE || type_accepts (&job->wanted, got))
        return;
    strbuf_addf (&says, "%s takes ", job->name);
    type_describe (&job->wanted, &says);
    strbuf_addf (&says, " and '%s' is ", text);
    type_describe (got, &says);
    strbuf_add_str (&says, "; ");
    add_declaration (job, maker, got, &says);
    strbuf_add_str (&says, "bind something of that type");
    field_problem (at, "%s", says.buf);
}

/* --- what the campaign says about itself --- */

static void bind_constant (const struct binding_job *job,
                           const struct yaml_node *at,
                           const struct constant *constant)
{
    check_type (job, at, constant->name, NULL, &constant->type);
    if (strcmp (constant->name, "iteration") == 0) {
        job->binding->source = SOURCE_ITERATION;
        return;
    }
    job->binding->literal = constant_value (job->plan, constant->name);
    if (job->binding->literal)
        job->binding->source = SOURCE_LITERAL;
    else if (strcmp (constant->name, "elements") == 0)
        field_no_elements (at);
    else
        field_problem (at,
                       "%s comes from '%s', which this campaign does not have; "
                       "%s, or bind the input in with:",
                       job->name, constant->name, constant->remedy);
}

/* --- references --- */

/* `count` or `proceed` of a family: of every stage that makes its outputs. */
static void take_family (const struct binding_job *job, struct binding *binding,
                         const struct reference *reference)
{
    const char *const *makers = reference->family->makers;
    size_t n = 0;

    while (makers[n])
        n++;
    binding->parts =
        arena_array (job->plan->arena, n, sizeof (*binding->parts));
    binding->n_parts = n;
    binding->fold =
        strcmp (reference->output, "count") == 0 ? FOLD_LEAST : FOLD_ALL;
    for (size_t i = 0; i < n; i++)
        binding->parts[i] =
            (struct binding){ .port = job->port,
                              .source = reference->source,
                              .is_item = true,
                              .stage = plan_stage_find (job->plan, makers[i]),
                              .output = reference->output };
    binding->source = SOURCE_JOINED;
}

static void take_reference (const struct binding_job *job,
                            struct binding *binding,
                            const struct reference *reference)
{
    if (reference->family) {
        take_family (job, binding, reference);
        return;
    }
    binding->source = reference->source;
    binding->stage = reference->index;
    binding->output = reference->output;
}

/* A number where an int is sliced: how many slices. */
static bool counts_slices (const struct binding_job *job,
                           const struct type *got)
{
    return port_counts (job->port, job->stage->op->fan_out)
           && got->kind == TYPE_INT && got->depth == 0;
}

/* A function sees what is done when it is called; -1 after recording that the
 * reference is to something else.
 */
static int check_seen (const struct binding_job *job,
                       const struct yaml_node *at, const char *text,
                       const struct reference *reference)
{
    const struct function *function = job->stage->function;
    const char *name =
        reference->source == SOURCE_THIS ? text : strchr (text, '.') + 1;

    if (function && reference->family)
        return field_problem (at,
                              "%s: several steps make the outputs of '%s', and "
                              "a function sees one; take another output",
                              job->name, reference->family->name);
    if (function && reference->source != SOURCE_LATEST)
        return field_problem (at,
                              "%s: a function sees what is done when it is "
                              "called; write latest.%s",
                              job->name, name);
    if (function && function->type == FUNCTION_PREDICT
        && strcmp (reference->stage, function->name) == 0)
        return field_problem (at,
                              "%s: calls of a function of type predict run "
                              "side by side, and none sees another; write "
                              "type: train, or leave the input to whoever "
                              "calls",
                              job->name);
    return 0;
}

static void bind_reference (const struct binding_job *job,
                            const struct yaml_node *at, const char *text,
                            struct reference *reference)
{
    if (reference_resolve (job->plan, at, job->name, reference) < 0
        || check_seen (job, at, text, reference) < 0)
        return;
    if (!counts_slices (job, &reference->type))
        check_type (job, at, text, operator_of (job, reference->stage),
                    &reference->type);
    take_reference (job, job->binding, reference);
}

/* The text of `from:` is always a name or a reference. */
static void bind_from (const struct binding_job *job,
                       const struct yaml_node *at, const char *text)
{
    const struct constant *constant = constant_find (text);
    struct reference reference;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    if (constant) {
        bind_constant (job, at, constant);
        return;
    }
    if (reference_read (job->plan, text, at->made, &reference)) {
        bind_reference (job, at, text, &reference);
        return;
    }
    strvec_push (&names, "STAGE.OUTPUT");
    constant_names (&names);
    field_unknown (at, text, &names, "%s: nothing is called '%s'", job->name,
                   text);
}

/* --- literals --- */

static struct json *read_literal (const struct binding_job *job,
                                  const struct yaml_node *node)
{
    return literal_read_input (node, job->port, job->stage->op->fan_out,
                               literal_flags (node), job->name);
}

static void bind_literal (const struct binding_job *job,
                          const struct yaml_node *node)
{
    job->binding->literal = read_literal (job, node);
    if (job->binding->literal)
        job->binding->source = SOURCE_LITERAL;
}

/* The port's own default, as JSON; NULL when there is none or it is wrong. */
static struct json *port_default (const struct binding_job *job)
{
    const char *text = job->default_json;
    struct error err = ERROR_INIT;
    struct json *v;

    if (!text)
        return NULL;
    v = json_parse (text, strlen (text), job->name, &err);
    if (v
        && value_check (&job->wanted, v, literal_flags (job->at), job->dir,
                        NULL, &err)
               == 0)
        return v;
    field_problem (job->at,
                   "%s: its default does not fit: %s; bind the input in with:",
                   job->name, err.text);
    json_unref (v);
    return NULL;
}

/* --- lists of references --- */

/* Is 'got' what one item of the list 'wanted' may be?  (Where that is frames, a
 * list of them, too.)
 */
static bool is_item_of (const struct type *wanted, const struct type *got)
{
    struct type item = *wanted;

    item.depth--;
    return wanted->depth > 0 && type_accepts (&item, got);
}

/* A value beside references: such a list as is wanted, or an item of it. */
static void bind_value_part (const struct binding_job *job,
                             const struct yaml_node *node, struct binding *part)
{
    struct type type = job->wanted;

    part->is_item = type.depth > 0 && node->kind != YAML_SEQUENCE;
    type.depth -= part->is_item;
    if (type.kind == TYPE_LIST && node->kind != YAML_SEQUENCE) {
        part->is_item = true;
        type.kind = TYPE_ANY;
    }
    part->literal = literal_read (node, &type, literal_flags (node), job->name);
    part->source = part->literal ? SOURCE_LITERAL : SOURCE_UNBOUND;
}

/* A part is such a list as is wanted, or an item of it. */
static void bind_part (const struct binding_job *job,
                       const struct yaml_node *node, struct binding *part)
{
    struct reference reference;

    *part =
        (struct binding){ .port = job->port, .stage = -1, .mark = node->mark };
    if (node->made && yaml_get (node, "literal")) {
        bind_value_part (job, yaml_get (node, "literal"), part);
        return;
    }
    if (node->kind != YAML_SCALAR
        || !reference_read (job->plan, node->text, node->made, &reference)) {
        field_problem (node,
                       "%s: '%s' in a list of references; write STAGE.OUTPUT, "
                       "or values only",
                       job->name,
                       node->text ? node->text : yaml_kind_name (node));
        return;
    }
    if (reference_resolve (job->plan, node, job->name, &reference) < 0
        || check_seen (job, node, node->text, &reference) < 0)
        return;
    part->is_item = is_item_of (&job->wanted, &reference.type);
    if (!part->is_item)
        check_type (job, node, node->text, operator_of (job, reference.stage),
                    &reference.type);
    take_reference (job, part, &reference);
}

static void bind_parts (const struct binding_job *job,
                        const struct yaml_node *node)
{
    struct binding *binding = job->binding;

    if (!type_is_list (&job->wanted)) {
        struct strbuf wanted = STRBUF_INIT;

        type_describe (&job->wanted, &wanted);
        field_problem (node,
                       "%s takes %s, and several references make a list; bind "
                       "one of them",
                       job->name, wanted.buf);
        strbuf_release (&wanted);
        return;
    }
    binding->parts =
        arena_array (job->plan->arena, node->n, sizeof (*binding->parts));
    binding->n_parts = node->n;
    binding->source = SOURCE_JOINED;
    for (size_t i = 0; i < node->n; i++)
        bind_part (job, node->items[i], &binding->parts[i]);
}

/* --- the forms of a binding --- */

/* Does it name a stage, or a family, or would it if that had such steps? */
static bool names_stage (const struct plan *plan, const char *stage)
{
    return plan_stage_find (plan, stage) >= 0 || plan_family_find (plan, stage)
           || strchr (stage, '.');
}

/* Does the text make no sense as it stands: no file, no value? */
static bool is_no_literal (const struct binding_job *job,
                           const struct yaml_node *node)
{
    bool artifact = type_is_artifact (&job->wanted);
    _cleanup_free_ char *path = path_join (job->dir, node->text);

    return artifact ? !file_exists (path)
                    : job->wanted.depth > 0
                          || (job->wanted.kind != TYPE_STRING
                              && job->wanted.kind != TYPE_ANY);
}

/* Text without a slash whose first word is nearly a stage, bound where that
 * text makes no sense as it stands: a slip, not a literal.
 */
static bool misspelt_stage (const struct binding_job *job,
                            const struct yaml_node *node,
                            const struct reference *reference)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    bool slip;

    reference_stage_names (job->plan, node->made, &names);
    slip = is_no_literal (job, node) && nearest_word (reference->stage, &names);
    return slip;
}

/* Text that is no value, but the name of a constant that fits, or nearly that:
 * the name; NULL: it is none.
 */
static const char *bare_constant (const struct binding_job *job,
                                  const struct yaml_node *node)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const struct constant *constant = constant_find (node->text);
    const char *near;

    if (!is_no_literal (job, node))
        return NULL;
    constant_names (&names);
    if (!constant && (near = nearest_word (node->text, &names)))
        constant = constant_find (near);
    return constant && type_accepts (&job->wanted, &constant->type)
               ? constant->name
               : NULL;
}

/* Meant by its beginning (prev), or nearly; NULL: none is. */
static const char *source_meant (const char *word)
{
    static const char *const sources[] = { "previous", "all", "latest" };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *near, *meant = NULL;

    for (size_t i = 0; i < ARRAY_SIZE (sources); i++)
        strvec_push (&names, sources[i]);
    near = nearest_word (word, &names);
    for (size_t i = 0; !meant && i < ARRAY_SIZE (sources); i++) {
        if (near ? strcmp (near, sources[i]) == 0
                 : strncmp (word, sources[i], strlen (word)) == 0)
            meant = sources[i];
    }
    return meant;
}

/* A file that is not there, and is written WORD.STAGE.OUTPUT: what the word was
 * meant to be; NULL: it is no such thing.
 */
static const char *misspelt_source (const struct binding_job *job,
                                    const struct yaml_node *node,
                                    struct reference *reference)
{
    const char *rest = strchr (node->text, '.');
    char *path = path_join (job->dir, node->text);
    bool slip = type_is_artifact (&job->wanted) && !file_exists (path);
    const char *meant;
    _cleanup_free_ char *word = NULL;

    free (path);
    if (!slip || !rest || rest == node->text
        || !reference_parse (job->plan->arena, rest + 1, reference)
        || !names_stage (job->plan, reference->stage))
        return NULL;
    word = xstrndup (node->text, (size_t)(rest - node->text));
    meant = source_meant (word);
    return meant;
}

/* Text that is a reference rather than a value. */
static bool is_reference (const struct binding_job *job,
                          const struct yaml_node *node,
                          struct reference *reference)
{
    return node->kind == YAML_SCALAR
           && reference_read (job->plan, node->text, node->made, reference)
           && (reference->source != SOURCE_THIS
               || names_stage (job->plan, reference->stage)
               || misspelt_stage (job, node, reference));
}

/* Does the text name a stage whose own name is refused?  That says enough. */
static bool names_refused_stage (const struct binding_job *job,
                                 const char *text)
{
    for (size_t i = 0; i < job->plan->n_stages; i++) {
        const char *name = job->plan->stages[i].name;
        size_t len = strlen (name);

        if (!word_is_name (name) && strncmp (text, name, len) == 0
            && text[len] == '.')
            return true;
    }
    return false;
}

static void bind_scalar (const struct binding_job *job,
                         const struct yaml_node *node)
{
    struct reference reference;
    const char *source, *constant;

    if (is_reference (job, node, &reference))
        bind_reference (job, node, node->text, &reference);
    else if ((constant = bare_constant (job, node)))
        field_problem (node, "%s: '%s' is no value; write {from: %s}",
                       job->name, node->text, constant);
    else if ((source = misspelt_source (job, node, &reference)))
        field_problem (node, "%s: nothing is called '%s'; did you mean '%s%s'?",
                       job->name, node->text, source, strchr (node->text, '.'));
    else if (!names_refused_stage (job, node->text))
        bind_literal (job, node);
}

static void bind_list (const struct binding_job *job,
                       const struct yaml_node *node)
{
    struct reference reference;
    size_t i = 0;

    while (i < node->n && !is_reference (job, node->items[i], &reference))
        i++;
    if (i < node->n)
        bind_parts (job, node);
    else
        bind_literal (job, node);
}

static bool only_keys (const struct yaml_node *node, const char *const *keys)
{
    size_t i = 0;

    while (i < node->n && words_contain (keys, node->keys[i]->text))
        i++;
    return i == node->n;
}

/* Is the mapping what one item of a list of maps should be? */
static bool is_item (const struct type *wanted, const struct yaml_node *node)
{
    size_t i = 0;

    while (i < node->n && type_field_find (wanted, node->keys[i]->text))
        i++;
    return wanted->fields && i == node->n;
}

/* A mapping is the long form, except that a map input can be given a mapping
 * as its literal: then only what can be nothing else is the long form.
 */
static bool is_long_form (const struct binding_job *job,
                          const struct yaml_node *node)
{
    static const char *const from_keys[] = { "from", "default", NULL };
    static const char *const literal_keys[] = { "literal", NULL };

    if ((job->wanted.kind != TYPE_MAP && job->wanted.kind != TYPE_ANY)
        || job->wanted.depth > 0)
        return !is_item (&job->wanted, node);
    return (yaml_get (node, "from") && only_keys (node, from_keys))
           || (yaml_get (node, "literal") && only_keys (node, literal_keys));
}

static void bind_long_form (const struct binding_job *job,
                            const struct yaml_node *node)
{
    static const struct field fields[] = { FIELD_KEY ("from"),
                                           FIELD_KEY ("default"),
                                           FIELD_KEY ("literal"), FIELDS_END };
    const struct yaml_node *from = field_find (node, "from");
    const struct yaml_node *literal = field_find (node, "literal");
    const struct yaml_node *fallback = field_find (node, "default");
    const char *text;

    if (field_mapping (node, job->name, fields) < 0)
        return;
    if (!from == !literal) {
        field_problem (node,
                       "%s: %s; write {from: STAGE.OUTPUT, default: VALUE} or "
                       "{literal: VALUE}",
                       job->name,
                       from ? "both from and literal"
                            : "neither from nor literal");
        return;
    }
    if (literal && fallback)
        field_problem (fallback, "%s: a literal needs no default; remove it",
                       job->name);
    if (literal)
        bind_literal (job, literal);
    else if (from->kind == YAML_SEQUENCE && from->n > 0)
        bind_parts (job, from);
    else if (field_text (from, &text) == 0)
        bind_from (job, from, text);
    if (from && fallback)
        job->binding->fallback = read_literal (job, fallback);
}

/* What a port takes by itself is not there in every campaign, nor for a
 * function.
 */
static bool has_stage (const struct binding_job *job, const char *from)
{
    struct reference reference;

    return !reference_read (job->plan, from, false, &reference)
           || (names_stage (job->plan, reference.stage)
               && (!job->stage->function || reference.source == SOURCE_LATEST));
}

/* Does a stage that is there make it? */
static bool has_output (const struct binding_job *job, const char *from)
{
    const struct operator_spec *op;
    struct reference reference;
    struct type type;

    if (!reference_read (job->plan, from, false, &reference))
        return true;
    op = operator_of (job, reference.stage);
    return !op || operator_output_type (op, reference.output, &type);
}

static void need_binding (const struct binding_job *job,
                          const struct yaml_node *at)
{
    const struct port *port = job->port;
    const char *dot = strchr (port->name, '.');
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if ((dot && job->misplaced) || job->stage->function)
        return;
    strbuf_addf (&text, "%s needs the input '%s' (", job->stage->title,
                 port->name);
    type_describe (&job->wanted, &text);
    strbuf_add_char (&text, ')');
    if (port->from)
        strbuf_addf (&text, ", and there is no '%s'", port->from);
    if (dot)
        strbuf_addf (&text, "; write %.*s: {%s: ...} in with:",
                     (int)(dot - port->name), port->name, dot + 1);
    else if (port_counts (port, job->stage->op->fan_out))
        strbuf_addf (&text,
                     "; in with: write %s: {from: models}, a task for each "
                     "member of the committee, or a list",
                     port->name);
    else
        strbuf_add_str (&text, "; bind it in with:");
    field_problem (at, "%s", text.buf);
}

/* The stage that the port takes the input from by itself does not make it.  -1
 * after saying that its operator, the user's own, is to; 0: that is not what is
 * wrong.
 */
static int need_output (const struct binding_job *job,
                        const struct yaml_node *at)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf made = STRBUF_INIT;
    struct reference reference;
    const struct operator_spec *op;

    if (!reference_read (job->plan, job->port->from, false, &reference)
        || !(op = operator_of (job, reference.stage)))
        return 0;
    operator_output_names (op, &names);
    if (!field_find (job->own, op->name)
        || nearest_word (reference.output, &names))
        return 0;
    strvec_list (&names, &made);
    return field_problem (at,
                          "%s comes from '%s', and operator '%s' has no such "
                          "output (there is %s); declare it and make it, or "
                          "bind the input in with:",
                          job->name, job->port->from, op->name, made.buf);
}

/* Nothing in with: the port speaks for itself. */
static void bind_by_port (const struct binding_job *job,
                          const struct yaml_node *from_at)
{
    const struct port *port = job->port;
    const struct constant *constant =
        port->from ? constant_find (port->from) : NULL;
    bool to_stage = port->from && !constant;
    bool absent = constant && constant_is_missing (job->plan, port->from)
                  && (port->optional || job->default_json);

    if (to_stage && job->plan->of_steps)
        return; /* it is of the campaign that uses the operator */
    if (to_stage && !has_stage (job, port->from)) {
        if (job->stage->function || port->from_if_made)
            job->binding->literal = port_default (job);
        else
            need_binding (job, from_at);
        return;
    }
    if (to_stage && !has_output (job, port->from)) {
        absent = port->from_if_made;
        if (!absent && need_output (job, from_at) < 0)
            return;
    }
    if (port->from && !absent) {
        bind_from (job, from_at, port->from);
        job->binding->fallback = port_default (job);
        return;
    }
    job->binding->literal = port_default (job);
    if (!job->default_json && !port->optional)
        need_binding (job, job->at);
}

void binding_compile (const struct plan *plan,
                      const struct binding_request *request,
                      struct binding *binding)
{
    const struct stage *stage = request->stage;
    const struct port *port = request->port;
    const struct yaml_node *node = request->node;
    const struct binding_job job = {
        .plan = plan,
        .stage = stage,
        .at = request->at,
        .dir = field_reader_of (request->at)->dir,
        .own = request->own,
        .port = port,
        .wanted = port_bound_type (port, stage->op->fan_out),
        .name = arena_printf (plan->arena, "input '%s' of %s", port->name,
                              stage->title),
        .default_json = port->default_of
                            ? port->default_of (port->name, request->known)
                            : port->default_json,
        .misplaced = request->misplaced,
        .binding = binding,
    };

    *binding = (struct binding){ .port = port, .stage = -1 };
    binding->mark = node ? node->mark : request->at->mark;
    if (!node)
        bind_by_port (&job, request->from_at);
    else if (node->kind == YAML_SCALAR)
        bind_scalar (&job, node);
    else if (node->kind == YAML_MAPPING && is_long_form (&job, node))
        bind_long_form (&job, node);
    else if (node->kind == YAML_SEQUENCE)
        bind_list (&job, node);
    else
        bind_literal (&job, node);
}
