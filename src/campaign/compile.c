/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.c - campaign.yaml + site.yaml + operator table -> plan */
#include "base/base.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/compilation.h"
#include "campaign/compile.h"
#include "campaign/frames_check.h"
#include "campaign/modules_check.h"
#include "campaign/programs_check.h"
#include "campaign/programs_file.h"
#include "campaign/super_operator.h"

enum { FORMAT = 1 };

/* --- the two files --- */

/* Read 'path'; NULL after recording that it is not there, or why it cannot be
 * read.
 */
static struct yaml_tree *read_tree (const struct field_reader *reader,
                                    const char *path, const char *remedy)
{
    _cleanup_free_ char *other =
        xasprintf ("%.*s.yml", (int)strlen (path) - 5, path);
    _cleanup_free_ char *dir =
        xstrndup (path, (size_t)(path_base (path) - path));
    struct stat st;

    if (*dir)
        dir[strlen (dir) - 1] = '\0';
    if (file_look (path, NULL) != 0)
        return yaml_tree_read (path, path, reader->problems);
    if (*dir && stat (dir, &st) == 0 && S_ISREG (st.st_mode))
        problems_add (reader->problems, (struct mark){ path, 0, 0 },
                      "'%s' is a file; name its directory with -C", dir);
    else if (file_exists (other))
        problems_add (reader->problems, (struct mark){ path, 0, 0 },
                      "there is no such file; rename '%s'", other);
    else
        problems_add (reader->problems, (struct mark){ path, 0, 0 },
                      "there is no such file; %s", remedy);
    return NULL;
}

/* A file that is not read, and that looks as if it were. */
static void check_other_site (const struct field_reader *reader,
                              const char *dir)
{
    _cleanup_free_ char *other = path_join (dir, "site.yml");
    _cleanup_free_ char *own = path_join (dir, "site.yaml");

    if (file_exists (other) && file_look (own, NULL) == 0)
        problems_add (
            reader->problems, (struct mark){ other, 0, 0 },
            "a file of this name is not read; rename it to site.yaml");
}

/* Quotes and blanks of a word processor are text for YAML. */
static void check_typography (const struct yaml_node *node)
{
    static const char *const signs[] = { "\u201c", "\u201d", "\u2018", "\u2019",
                                         "\u00a0" };

    for (size_t i = 0; i < node->n; i++) {
        if (node->items[i])
            check_typography (node->items[i]);
    }
    for (size_t i = 0; node->kind == YAML_SCALAR && i < ARRAY_SIZE (signs);
         i++) {
        const char *at = strstr (node->text, signs[i]);
        bool ends = at == node->text || (at && at[strlen (signs[i])] == '\0');

        if (ends && !node->quoted) {
            field_warning (node,
                           "'%s' has a quote or a blank of a word processor, "
                           "which is part of the text; write \" or an "
                           "ordinary blank",
                           node->text);
            return;
        }
    }
}

/* The root of a file's document, which is in a format we know; NULL after
 * recording why there is none.
 */
static const struct yaml_node *open_root (const struct field_reader *reader,
                                          struct yaml_tree *tree,
                                          const char *file)
{
    const struct yaml_node *root, *format;
    int64_t version;

    if (!tree)
        return NULL;
    yaml_tree_lend (tree, reader);
    root = yaml_tree_root (tree);
    format = yaml_get (root, "format");
    if (!root) {
        problems_add (reader->problems, (struct mark){ file, 0, 0 },
                      "the file is empty; begin it with format: %d", FORMAT);
    } else if (root->kind == YAML_MAPPING && !format) {
        field_problem (root,
                       "%s does not say its format; begin it with format: %d",
                       path_base (file), FORMAT);
    } else if (format
               && (yaml_to_int (format, &version) < 0 || version != FORMAT)) {
        field_problem (format,
                       "format '%s' is not known to this version; write "
                       "format: %d, or use a newer fanfold",
                       format->text ? format->text : yaml_kind_name (format),
                       FORMAT);
        return NULL;
    }
    if (root && !reader->recorded)
        check_typography (root);
    return root;
}

/* Part of a recorded configuration as the document it was; every JSON is YAML,
 * too.
 */
static struct yaml_tree *recorded_tree (const struct json *v, const char *file,
                                        struct problems *problems)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree;

    json_dump (v, JSON_PRETTY, &text);
    tree = yaml_tree_parse (text.buf, text.len, file, problems);
    return tree;
}

static struct yaml_tree *recorded_site (const struct json *recorded,
                                        const char *file,
                                        struct problems *problems)
{
    static const char *const keys[] = { "default_profile", "store",
                                        "reuse_from" };
    _cleanup_json_ struct json *site = json_object ();
    struct yaml_tree *tree;

    json_set (site, "format", json_int (FORMAT));
    json_set (site, "profiles", json_deep_copy (json_get (recorded, "site")));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        const struct json *named = json_get (recorded, keys[i]);

        if (named)
            json_set (site, keys[i], json_deep_copy (named));
    }
    tree = recorded_tree (site, file, problems);
    return tree;
}

/* Where there is no file. */
static const char builtin_site[] =
    "{format: 1, profiles: {local: {scheduler: local}}}";

static struct yaml_tree *read_site (struct compilation *c,
                                    const struct compile_options *options)
{
    _cleanup_free_ char *path = options->site_file
                                    ? path_join (".", options->site_file)
                                    : site_file_find (options->dir);
    struct yaml_tree *tree;
    const struct yaml_node *root;

    c->site = (struct site){ .broken = true };
    if (!options->site_file && !options->recorded)
        check_other_site (&c->reader, options->dir);
    if (options->recorded)
        tree = recorded_site (options->recorded, path ? path : "site.yaml",
                              c->reader.problems);
    else
        tree = path ? read_tree (&c->reader, path,
                                 "name another one with --site or FANFOLD_SITE")
                    : yaml_tree_parse (builtin_site, sizeof (builtin_site) - 1,
                                       "site.yaml", c->reader.problems);
    root = open_root (&c->reader, tree, path);
    if (root)
        site_file_read (root, path, options->schedulers, &c->site);
    return tree;
}

/* --- the plan --- */

/* The profiles the stages use, as they are written. */
static struct json *site_config (const struct compilation *c)
{
    struct json *v = json_object ();

    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct profile *profile = c->plan->stages[i].profile;

        if (profile)
            json_set (v, profile->name,
                      yaml_to_json (c->site.nodes[profile - c->site.profiles]));
    }
    return v;
}

static void compile_stages (struct compilation *c, const struct yaml_node *root)
{
    c->stages = field_find (root, "stages");
    if (!c->stages && field_find (root, "functions")) {
        if (field_find (root, "phases"))
            field_problem (field_find (root, "phases"),
                           "phases are of stages, and there are none; remove "
                           "phases, or add stages");
        return;
    }
    if (!c->stages) {
        field_problem (root, "there are no stages; add stages: {NAME: {uses: "
                             "OPERATOR}}");
        return;
    }
    if (field_any_mapping (c->stages) < 0)
        return;
    c->stages = stages_in_phase (c, c->stages, field_find (root, "phases"));
    c->stages = stages_flattened (c, c->stages);
    c->stages =
        stages_with_defaults (c, c->stages, field_find (root, "defaults"));
    stages_declare (c);
    stages_bind (c);
    committee_check (c);
    keep_check (c);
    tasks_check (c);
}

/* campaign.yaml, with the files that patterns stand for now, and without what
 * no stage goes by.
 */
static struct json *campaign_config (const struct plan *plan,
                                     const struct yaml_node *root)
{
    struct json *v = yaml_to_json (root);
    struct json *data = json_get (v, "data");

    json_delete (v, "functions");
    json_delete (v, "notify");
    if (!data && plan->data)
        json_set (v, "data", data = json_object ());
    JSON_FOREACH (plan->data, it)
        json_set (data, json_iter_key (it), json_ref (json_iter_value (it)));
    return v;
}

static struct json *patterns_json (const struct reuse_from *from)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < from->n; i++)
        json_push (v, json_string (from->v[i].pattern));
    return v;
}

static struct json *write_config (const struct compilation *c,
                                  const struct yaml_node *root)
{
    struct json *v = json_object ();

    json_set (v, "campaign", campaign_config (c->plan, root));
    json_set (v, "site", site_config (c));
    if (c->site.default_profile)
        json_set (v, "default_profile", json_string (c->site.default_profile));
    if (c->site.store)
        json_set (v, "store", json_string (c->site.store));
    if (c->site.reuse_from.n > 0)
        json_set (v, "reuse_from", patterns_json (&c->site.reuse_from));
    return v;
}

/* An operator that a stage uses and that labels cells that repeat, or NULL. */
static const char *periodic_operator (const struct yaml_node *root)
{
    static const char *const words[] = { "vasp.label", "qe.label",
                                         "abacus.label", NULL };
    const struct yaml_node *stages = field_find (root, "stages");

    for (size_t i = 0; stages && stages->keys && i < stages->n; i++) {
        const struct yaml_node *uses = field_find (stages->items[i], "uses");

        if (uses && uses->kind == YAML_SCALAR
            && words_contain (words, uses->text))
            return uses->text;
    }
    return NULL;
}

/* Frames are looked at when the campaign's own lines are good. */
static void check_data (const struct yaml_node *root, const struct plan *plan,
                        size_t before)
{
    const struct yaml_node *data = field_find (root, "data");

    if (data && field_problems (root) == before)
        frames_check_data (data, field_find (root, "elements"),
                           periodic_operator (root), plan);
}

static void compile_root (struct compilation *c, const struct yaml_node *root,
                          const struct operator_spec *const *builtin)
{
    struct plan *plan = c->plan;
    size_t before = problems_errors (c->reader.problems);

    if (campaign_file_read (root, plan) < 0)
        return;
    check_data (root, plan, before);
    operator_file_read (field_find (root, "operators"), builtin, &c->operators);
    c->root = root;
    super_operators_complete (c);
    functions_name (c);
    compile_stages (c, root);
    phases_read (field_find (root, "phases"), plan);
    campaign_file_read_ends (root, plan);
    if (c->stages)
        lists_check (c);
    if (c->stages && !c->reader.recorded
        && problems_errors (c->reader.problems) == before) {
        sizes_check (c);
        loop_check (c);
        limits_check (c);
    }
    stages_order (c);
    if (!c->reader.recorded)
        programs_check_places (c);
    if (c->reader.this_host) {
        programs_check (c);
        modules_check (c);
    }
    functions_read (c);
    if (!plan->config) /* it is no recorded one */
        plan->config = write_config (c, root);
}

/* As campaign_compile, the plan of one phase; *n_phases: how many there are. */
static struct plan *compile_phase (const struct compile_options *options,
                                   size_t phase, size_t *n_phases,
                                   struct problems *problems)
{
    struct arena *arena = arena_create ();
    struct plan *plan = arena_alloc (arena, sizeof (*plan));
    struct compilation c = {
        .reader = { .arena = arena,
                    .problems = problems,
                    .dir = options->dir,
                    .recorded = options->recorded != NULL,
                    .this_host = options->this_host && !options->recorded,
                    .atoms = options->recorded ? 0 : options->atoms,
                    .heartbeat = options->heartbeat },
        .program = options->program,
        .notices = options->notices,
        .plan = plan,
        .phase = phase
    };
    char *dir = path_absolute (options->dir);
    size_t before = problems_errors (problems);
    char *path = path_join (options->dir, "campaign.yaml");
    struct yaml_tree *campaign = NULL, *site = read_site (&c, options);
    const struct yaml_node *root;

    if (!json_is_text (dir))
        problems_add (problems, (struct mark){ path, 0, 0 },
                      "the name of the directory is not UTF-8, which task.json "
                      "has to be; rename the directory");
    c.file = arena_strdup (arena, path);
    plan->arena = arena;
    plan->dir = arena_strdup (arena, dir);
    plan->profiles = c.site.profiles;
    plan->n_profiles = c.site.n;
    plan->default_profile = c.site.default_profile;
    plan->store = c.site.store;
    plan->reuse_from = c.site.reuse_from;
    plan->notify = c.site.notify;
    plan->notify.known = !options->recorded;
    plan->config = json_ref (options->recorded);
    if (options->recorded)
        campaign = recorded_tree (json_get (options->recorded, "campaign"),
                                  path, problems);
    else if (!options->site_alone)
        campaign = read_tree (&c.reader, path,
                              "write one with 'fanfold new', or name the "
                              "campaign's directory with -C");
    root = open_root (&c.reader, campaign, path);
    if (root)
        compile_root (&c, root, options->builtin);
    yaml_tree_destroy (site);
    yaml_tree_destroy (campaign);
    free (path);
    free (dir);
    *n_phases = c.n_phases;
    if (problems_errors (problems) > before) {
        plan_destroy (plan);
        plan = NULL;
    }
    return plan;
}

/* They are one configuration. */
static void take_phase (struct plan *plan, size_t phase, struct plan *of_phase)
{
    json_unref (of_phase->config);
    of_phase->config = json_ref (plan->config);
    of_phase->by_phase = plan->by_phase;
    plan->by_phase[phase] = of_phase;
}

struct plan *campaign_compile (const struct compile_options *options,
                               struct problems *problems)
{
    size_t n = 0, same;
    struct plan *plan = compile_phase (options, 0, &n, problems);
    bool good = plan != NULL;

    if (plan && n > 1) {
        plan->by_phase = arena_array (plan->arena, n, sizeof (*plan->by_phase));
        plan->by_phase[0] = plan;
    }
    for (size_t i = 1; i < n; i++) {
        struct plan *of_phase = compile_phase (options, i, &same, problems);

        good = good && of_phase;
        if (of_phase && plan)
            take_phase (plan, i, of_phase);
        else
            plan_destroy (of_phase);
    }
    if (!good) {
        plan_destroy (plan);
        plan = NULL;
    }
    problems_sort (problems);
    return plan;
}
