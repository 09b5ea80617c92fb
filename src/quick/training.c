/* SPDX-License-Identifier: BSD-3-Clause */
/* training.c - one call of `fanfold quick`, and the campaign it becomes */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/yaml_write.h"
#include "quick/training.h"
#include "signature/template.h"

#define OPERATOR "quick.train"

void training_release (struct training *training)
{
    free (training->task);
    free (training->project);
    free (training->description);
    free (training->algorithm);
    free (training->algorithm_path);
    free (training->revision);
    for (size_t i = 0; i < training->n_inputs; i++) {
        free (training->inputs[i].option);
        free (training->inputs[i].id);
        free (training->inputs[i].path);
    }
    free (training->inputs);
    strvec_release (&training->command);
    hyperparams_release (&training->hyperparams);
    free (training->profile);
    free (training->image);
    free (training->output);
    json_unref (training->needs);
    *training = (struct training)TRAINING_INIT;
}

void training_add_input (struct training *training, struct training_input input)
{
    training->inputs =
        grow_array (training->inputs, training->n_inputs,
                    &training->alloc_inputs, sizeof (*training->inputs));
    training->inputs[training->n_inputs++] = input;
}

int training_check (const struct training *training, struct error *err)
{
    for (size_t i = 0; i < training->n_inputs; i++) {
        const char *option = training->inputs[i].option;

        for (size_t h = 0; h < training->hyperparams.n; h++) {
            if (strcmp (training->hyperparams.v[h].name, option) == 0)
                return error_set (err,
                                  "the hyperparameter '%s' is what a path is "
                                  "passed by; drop it, or choose another name "
                                  "for the path (--dataset-name, --model-name, "
                                  "--pretrain-name)",
                                  option);
        }
    }
    return 0;
}

/* --- arguments --- */

/* The input's port of the operator. */
static char *port_name (size_t i)
{
    return xasprintf ("input_%zu", i + 1);
}

/* In templates an input is its placeholder; 'dir' NULL asks for them. */
static char *input_value (const struct training *training, size_t i,
                          const char *dir)
{
    _cleanup_free_ char *port = NULL;
    char *value;

    if (dir)
        return path_join (dir, training->inputs[i].path);
    port = port_name (i);
    value = xasprintf ("{%s}", port);
    return value;
}

static void add_inputs (const struct training *training, const char *dir,
                        struct strvec *argv)
{
    _cleanup_ (hyperparams_release) struct hyperparams inputs =
        HYPERPARAMS_INIT;

    for (size_t i = 0; i < training->n_inputs; i++) {
        _cleanup_free_ char *value = input_value (training, i, dir);

        hyperparams_add_value (&inputs, training->inputs[i].option, value,
                               NULL);
    }
    hyperparams_argv (&inputs, &training->style, argv);
}

static void add_hyperparams (const struct training *training,
                             struct strvec *argv)
{
    hyperparams_argv (&training->hyperparams, &training->style, argv);
}

void training_argv (const struct training *training, const char *dir,
                    struct strvec *argv)
{
    strvec_push_all (argv, training->command.v);
    add_inputs (training, dir, argv);
    add_hyperparams (training, argv);
}

static void push_escaped (struct json *list, const char *word)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    template_escape (word, &text);
    json_push (list, json_string (text.buf));
}

/* The same as a template: braces of a person's are text. */
static void push_argv (const struct training *training, struct json *list)
{
    _cleanup_ (strvec_release) struct strvec inputs = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec others = STRVEC_INIT;

    add_inputs (training, NULL, &inputs);
    add_hyperparams (training, &others);
    for (size_t i = 0; i < training->command.n; i++)
        push_escaped (list, training->command.v[i]);
    for (size_t i = 0; i < inputs.n; i++)
        json_push (list, json_string (inputs.v[i]));
    for (size_t i = 0; i < others.n; i++)
        push_escaped (list, others.v[i]);
}

/* --- the campaign --- */

static struct json *words (const char *const *list)
{
    struct json *v = json_array ();

    for (; *list; list++)
        json_push (v, json_string (*list));
    return v;
}

/* Where the command runs, and how the processes of all nodes find each other.
 */
static struct json *node_command (const struct training *training, int node)
{
    const char *const where[] = { "env", "--chdir=" TRAINING_TREE,
                                  "MASTER_ADDR={address}", "MASTER_PORT={port}",
                                  NULL };
    struct json *argv = words (where);

    json_push (argv, json_stringf ("NNODES=%d", training->nodes));
    json_push (argv, json_stringf ("NODE_RANK=%d", node));
    json_push (argv,
               json_stringf ("NPROC_PER_NODE=%d", training->procs_per_node));
    push_argv (training, argv);
    return argv;
}

/* Once, before any node begins. */
static struct json *make_tree (const struct training *training)
{
    static const char *const copy[] = { "cp", "-R", "{algorithm}",
                                        TRAINING_TREE, NULL };
    static const char *const open[] = { "chmod", "-R", "u+w", TRAINING_TREE,
                                        NULL };
    struct json *setup = json_array (), *make;

    json_push (setup, words (copy));
    json_push (setup, words (open));
    if (training->output) {
        const char *const mkdir[] = { "mkdir", "-p", "--", NULL };
        _cleanup_free_ char *dir = path_join (TRAINING_TREE, training->output);

        make = words (mkdir);
        push_escaped (make, dir);
        json_push (setup, make);
    }
    return setup;
}

/* What a node gives: a core for each process where nothing else is said. */
static struct json *node_needs (const struct training *training)
{
    static const char *const keys[] = { "cores", "gpus", "memory" };
    struct json *needs = json_object ();

    json_set (needs, "cores", json_int (training->procs_per_node));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        struct json *value =
            training->needs ? json_get (training->needs, keys[i]) : NULL;

        if (value)
            json_set (needs, keys[i], json_ref (value));
    }
    return needs;
}

static struct json *programs (const struct training *training)
{
    struct json *all = json_object ();

    for (int node = 0; node < training->nodes; node++) {
        struct json *one = json_object ();
        _cleanup_free_ char *name = xasprintf ("node_%d", node);

        if (node > 0)
            json_set (one, "node", json_stringf ("far_%d", node));
        else
            json_set (one, "setup", make_tree (training));
        json_set (one, "task", node_needs (training));
        json_set (one, "command", node_command (training, node));
        json_set (all, name, one);
    }
    return all;
}

static struct json *typed (const char *type)
{
    struct json *port = json_object ();

    json_set (port, "type", json_string (type));
    return port;
}

/* The ports of the inputs, and what they are bound to. */
static void set_inputs (const struct training *training, struct json *ports,
                        struct json *with)
{
    json_set (ports, "algorithm", typed ("dir"));
    json_set (with, "algorithm", json_string (training->algorithm_path));
    for (size_t i = 0; i < training->n_inputs; i++) {
        const struct training_input *input = &training->inputs[i];
        _cleanup_free_ char *name = port_name (i);

        json_set (ports, name, typed (input->file ? "file" : "dir"));
        json_set (with, name, json_string (input->path));
    }
}

static struct json *operator_of (const struct training *training,
                                 struct json *ports)
{
    struct json *v = json_object (), *group = json_object ();
    struct json *walltime =
        training->needs ? json_get (training->needs, "walltime") : NULL;

    if (training->description)
        json_set (v, "doc", json_string (training->description));
    if (training->image)
        json_set (v, "image", json_string (training->image));
    if (training->not_reused)
        json_set (v, "reuse", json_bool (false));
    json_set (v, "inputs", ports);
    if (training->output) {
        struct json *outputs = json_object (), *port = typed ("dir");

        json_set (port, "take",
                  json_stringf (TRAINING_TREE "/%s", training->output));
        json_set (port, "path", json_string (TRAINING_OUTPUT));
        json_set (outputs, TRAINING_OUTPUT, port);
        json_set (v, "outputs", outputs);
    }
    if (walltime) {
        struct json *task = json_object ();

        json_set (task, "walltime", json_ref (walltime));
        json_set (v, "task", task);
    }
    json_set (group, "programs", programs (training));
    json_set (v, "group", group);
    return v;
}

static void set_in (struct json *v, const char *key, const char *below,
                    struct json *value)
{
    struct json *inner = json_object ();

    json_set (inner, below, value);
    json_set (v, key, inner);
}

struct json *training_campaign (const struct training *training)
{
    struct json *v = json_object (), *stage = json_object ();
    struct json *ports = json_object (), *with = json_object ();
    struct json *others = json_array (); /* other tasks of the store */

    set_inputs (training, ports, with);
    json_set (stage, "uses", json_string (OPERATOR));
    if (training->profile)
        json_set (stage, "profile", json_string (training->profile));
    json_set (stage, "with", with);
    json_set (v, "format", json_int (1));
    json_set (v, "campaign", json_string (training->task));
    set_in (v, "stages", TRAINING_STAGE, stage);
    set_in (v, "stop", "iterations", json_int (1));
    set_in (v, "operators", OPERATOR, operator_of (training, ports));
    json_push (others, json_string ("../*"));
    json_set (v, "reuse_from", others);
    return v;
}

void training_campaign_text (const struct training *training,
                             struct strbuf *out)
{
    _cleanup_json_ struct json *v = training_campaign (training);
    struct arena *arena = arena_create ();

    strbuf_addf (out,
                 "# Made by `fanfold quick` of %s; what it was asked for is in "
                 "quick.json.\n",
                 training->algorithm);
    yaml_write_pairs (yaml_from_json (arena, v), 0, out);
    arena_destroy (arena);
}

/* --- what is kept --- */

static struct json *strings_to_json (const struct strvec *list)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < list->n; i++)
        json_push (v, json_string (list->v[i]));
    return v;
}

static struct json *hyperparams_to_json (const struct hyperparams *all)
{
    struct json *v = json_object ();

    for (size_t i = 0; i < all->n; i++)
        json_set (v, all->v[i].name, strings_to_json (&all->v[i].values));
    return v;
}

/* Those of a kind. */
static struct json *inputs_to_json (const struct training *training,
                                    const char *kind)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < training->n_inputs; i++) {
        const struct training_input *input = &training->inputs[i];
        struct json *one;

        if (strcmp (input->kind, kind) != 0)
            continue;
        one = json_object ();
        json_set (one, "id", json_string (input->id));
        json_set (one, "argument", json_string (input->option));
        json_set (one, "path", json_string (input->path));
        json_set (one, "sha256", json_string (input->sha256));
        json_push (v, one);
    }
    return v;
}

static void set_text (struct json *v, const char *key, const char *text)
{
    if (text)
        json_set (v, key, json_string (text));
}

struct json *training_record (const struct training *training)
{
    struct json *v = json_object (), *algorithm = json_object ();

    json_set (algorithm, "id", json_string (training->algorithm));
    json_set (algorithm, "revision", json_string (training->revision));
    json_set (algorithm, "sha256", json_string (training->algorithm_sha256));
    json_set (v, "project", json_string (training->project));
    set_text (v, "description", training->description);
    json_set (v, "algorithm", algorithm);
    json_set (v, "datasets", inputs_to_json (training, "dataset"));
    json_set (v, "models", inputs_to_json (training, "model"));
    json_set (v, "pretrain", inputs_to_json (training, "pretrain"));
    json_set (v, "command", strings_to_json (&training->command));
    json_set (v, "hyperparameters",
              hyperparams_to_json (&training->hyperparams));
    json_set (v, "prefix", json_string (training->style.prefix));
    set_text (v, "delimiter", training->style.delimiter);
    set_text (v, "profile", training->profile);
    set_text (v, "image", training->image);
    set_text (v, "output", training->output);
    if (training->needs)
        json_set (v, "needs", json_ref (training->needs));
    if (training->not_reused)
        json_set (v, "not_reused", json_bool (true));
    json_set (v, "nodes", json_int (training->nodes));
    json_set (v, "procs_per_node", json_int (training->procs_per_node));
    return v;
}

void training_digest (const struct training *training,
                      char hex[DIGEST_HEX_SIZE])
{
    _cleanup_json_ struct json *v = training_record (training);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_SORTED, &text);
    digest_bytes (text.buf, text.len, hex);
}
