/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_file.c - `programs:` of an operator: the directory of a copy of
 * which it runs
 */
#include "base/base.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/compilation.h"
#include "campaign/listed_files.h"
#include "campaign/programs_file.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/programs.h"
#include "space/layout.h"
#include "space/layout_read.h"

/* --- what a copy has --- */

/* The directory that the places in the copy are seen from, without links: the
 * campaign's, of a call that of what it is of.
 */
static char *top_of (const char *dir, const char *path)
{
    char *top = xstrdup (*dir ? dir : "."), *up, *real;

    for (; strncmp (path, "../", 3) == 0; path += 3) {
        up = path_join (top, "..");
        free (top);
        top = up;
    }
    real = realpath (top, NULL);
    free (top);
    return real;
}

/* What a link leads to is copied: it must be of the campaign. */
static int look_at (const char *dir, const char *path, int64_t *bytes,
                    struct error *err)
{
    _cleanup_free_ char *full = path_join (dir, path);
    _cleanup_free_ char *top = top_of (dir, path);
    _cleanup_free_ char *real = realpath (full, NULL);
    struct stat st;
    int rc = 0;

    if (!real || !top || stat (real, &st) < 0)
        rc = error_errno (err, "cannot read '%s'", path);
    else if (!path_is_at_or_below (real, top))
        rc = error_set (err,
                        "'%s' is a link that leaves the campaign, to '%s'; put "
                        "a copy of that in its place",
                        path, real);
    else if (!S_ISREG (st.st_mode))
        rc = error_set (err, "'%s' is no file; move it somewhere else", path);
    else
        *bytes += st.st_size;
    return rc;
}

static int refuse_more (size_t n, int64_t bytes, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf much = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf most = STRBUF_INIT;
    int rc = 0;

    if (n > PROGRAMS_FILES_MAX || bytes > PROGRAMS_BYTES_MAX) {
        format_bytes (bytes, &much);
        format_bytes (PROGRAMS_BYTES_MAX, &most);
        rc = error_set (err,
                        "%zu files of %s would be copied, and at "
                        "most %d files and %s are; keep data in another "
                        "directory",
                        n, much.buf, PROGRAMS_FILES_MAX, most.buf);
    }
    return rc;
}

int programs_list (const char *dir, const char *const *items,
                   struct strvec *paths, int64_t *bytes, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec all = STRVEC_INIT;
    int rc = 0;

    *bytes = 0;
    for (; rc == 0 && items && *items; items++)
        rc = listed_files (dir, *items, &all, err);
    strvec_sort (&all);
    for (size_t i = 0; rc == 0 && i < all.n; i++) {
        if (i > 0 && strcmp (all.v[i], all.v[i - 1]) == 0)
            continue;
        strvec_push (paths, all.v[i]);
        rc = look_at (dir, all.v[i], bytes, err);
    }
    if (rc == 0)
        rc = refuse_more (paths->n, *bytes, err);
    return rc;
}

/* --- is it such a directory? --- */

/* A place in the campaign, or of a call in what it is of. */
static bool is_below_campaign (const char *path)
{
    static const char up[] = LAYOUT_CALL_UP "/";

    return path_is_inside (
        strncmp (path, up, strlen (up)) == 0 ? path + strlen (up) : path);
}

static void check_items (const struct yaml_node *node,
                         const struct operator_spec *op)
{
    for (const char *const *item = op->files; item && *item; item++) {
        if (!is_below_campaign (*item))
            field_problem (node,
                           "programs: '%s' of files: is not below the "
                           "campaign's directory, and has no place in the "
                           "copy; move it there, or remove programs",
                           *item);
    }
}

static void check_directory (const struct yaml_node *node, const char *dir)
{
    _cleanup_free_ char *path = path_join (dir, node->text);
    struct space_path at;
    struct stat st;

    space_path_read (programs_place (node->text), &at);
    if (!is_below_campaign (node->text))
        field_problem (node,
                       "programs: '%s' is no directory below the campaign's; "
                       "put the programs into one, and write its path as seen "
                       "from there: bin",
                       node->text);
    else if (at.kind != SPACE_OTHER
             || strcmp (programs_place (node->text), LAYOUT_DATASET_DIR) == 0)
        field_problem (node,
                       "programs: '%s' is where Fanfold keeps what it makes; "
                       "put the programs into a directory of their own",
                       node->text);
    else if (stat (path, &st) < 0)
        field_problem (node, "programs: there is no directory '%s'",
                       node->text);
    else if (!S_ISDIR (st.st_mode))
        field_problem (node,
                       "programs: '%s' is a file; name the directory that it "
                       "is in",
                       node->text);
}

/* --- commands that name the copy --- */

/* What is rewritten, and was anything? */
struct rewriting {
    struct arena *arena;
    const char *const *items;
    bool any;
    const char *open; /* what leads to files in place, or NULL */
};

static const char *keep (struct rewriting *r, const char *before,
                         struct strbuf *text)
{
    const char *after = arena_strdup (r->arena, text->buf ? text->buf : "");

    r->any = r->any || strstr (after, PROGRAMS_PLACEHOLDER);
    strbuf_release (text);
    return strcmp (before, after) == 0 ? before : after;
}

static const char *rewrite_script (struct rewriting *r, const char *text)
{
    struct strbuf out = STRBUF_INIT;

    if (!text)
        return NULL;
    programs_script (r->items, text, &out);
    if (out.buf && programs_script_is_open (r->items, out.buf))
        r->open = "$campaign";
    return keep (r, text, &out);
}

static const char *const *rewrite_argv (struct rewriting *r,
                                        const char *const *argv)
{
    const char **made;
    bool same = true;
    size_t n = 0;

    if (!argv)
        return NULL;
    while (argv[n])
        n++;
    made = arena_array (r->arena, n + 1, sizeof (*made));
    for (size_t i = 0; i < n; i++) {
        struct strbuf out = STRBUF_INIT;

        programs_argument (r->items, argv[i], &out);
        if (out.buf && programs_argument_is_open (r->items, out.buf))
            r->open = argv[i];
        made[i] = keep (r, argv[i], &out);
        same = same && made[i] == argv[i];
    }
    return same ? argv : made;
}

static const char *const *const *rewrite_argvs (struct rewriting *r,
                                                const char *const *const *argvs)
{
    const char *const **made;
    bool same = true;
    size_t n = 0;

    if (!argvs)
        return NULL;
    while (argvs[n])
        n++;
    made = arena_array (r->arena, n + 1, sizeof (*made));
    for (size_t i = 0; i < n; i++) {
        made[i] = rewrite_argv (r, argvs[i]);
        same = same && made[i] == argvs[i];
    }
    return same ? argvs : made;
}

static void rewrite_program (struct rewriting *r, struct group_program *program)
{
    program->setup = rewrite_argvs (r, program->setup);
    program->exit = rewrite_argvs (r, program->exit);
    program->instance_setup = rewrite_argvs (r, program->instance_setup);
    program->instance_exit = rewrite_argvs (r, program->instance_exit);
    program->report.command = rewrite_argv (r, program->report.command);
    program->commands = rewrite_argvs (r, program->commands);
    program->script = rewrite_script (r, program->script);
}

static const struct group_spec *rewrite_group (struct rewriting *r,
                                               const struct group_spec *group)
{
    struct group_spec *made;
    struct group_program *programs;

    if (!group)
        return NULL;
    made = arena_alloc (r->arena, sizeof (*made));
    *made = *group;
    programs =
        arena_array (r->arena, group->n_programs + 1, sizeof (*programs));
    for (size_t i = 0; i < group->n_programs; i++) {
        programs[i] = group->programs[i];
        rewrite_program (r, &programs[i]);
    }
    made->programs = programs;
    made->setup = rewrite_argvs (r, group->setup);
    made->exit = rewrite_argvs (r, group->exit);
    made->report.command = rewrite_argv (r, group->report.command);
    return made;
}

static void rewrite (struct rewriting *r, struct operator_spec *op)
{
    op->commands = rewrite_argvs (r, op->commands);
    op->script = rewrite_script (r, op->script);
    op->group = rewrite_group (r, op->group);
    op->prepare = rewrite_argv (r, op->prepare);
    op->prepare_script = rewrite_script (r, op->prepare_script);
    op->collect = rewrite_argv (r, op->collect);
    op->collect_script = rewrite_script (r, op->collect_script);
}

/* --- one operator --- */

/* Whom the campaign's directory is told looks there for what is in the copy,
 * too, and what is edited there nobody would compare.
 */
static void refuse_open (const struct yaml_node *node, const char *where,
                         const char *dir)
{
    dir = programs_place (dir);
    field_problem (node,
                   "programs: by '%s' files are read that may be edited, and "
                   "not their copy; write the path of what is meant: "
                   "{campaign}/%s is that directory in the copy, to a script "
                   "$campaign/%s",
                   where, dir, dir);
}

static void add_to_files (struct arena *arena, struct operator_spec *op)
{
    const char **files;
    size_t n = 0;

    while (op->files && op->files[n])
        n++;
    files = arena_array (arena, n + 2, sizeof (*files));
    for (size_t i = 0; i < n; i++)
        files[i] = op->files[i];
    files[n] = op->programs;
    op->files = files;
}

static void check_list (const struct yaml_node *node, const char *dir,
                        const struct operator_spec *op)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    struct error err = ERROR_INIT;
    int64_t bytes;

    if (programs_list (dir, op->files, &paths, &bytes, &err) < 0)
        field_problem (node, "programs: %s", err.text);
}

void programs_read (const struct yaml_node *node, struct operator_spec *op)
{
    const struct field_reader *reader = field_reader_of (node);
    struct rewriting r = { .arena = field_arena (node) };
    size_t before = field_problems (node);

    if (op->steps) {
        field_problem (node, "programs: an operator with steps runs nothing "
                             "itself; write it in those that they use");
        return;
    }
    add_to_files (r.arena, op);
    r.items = op->files;
    if (!reader->recorded)
        check_directory (node, reader->dir);
    if (!reader->recorded && field_problems (node) == before)
        check_items (node, op);
    if (!reader->recorded && field_problems (node) == before)
        check_list (node, reader->dir, op);
    rewrite (&r, op);
    if (r.open && !reader->recorded)
        refuse_open (node, r.open, op->programs);
    if (!r.any && field_problems (node) == before)
        field_problem (node,
                       "programs: no command or script of the operator names "
                       "anything below '%s', so nothing would be run from the "
                       "copy; write {campaign}/%s/PROGRAM, or remove it",
                       op->programs, op->programs);
}

/* --- where results lie --- */

static bool is_of_stage (const char *dir, const char *stage)
{
    size_t len = strcspn (dir, "/");

    return strlen (stage) == len && strncmp (dir, stage, len) == 0;
}

static void check_places (const struct compilation *c,
                          const struct operator_spec *op,
                          const struct yaml_node *declared)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const char *stage = c->plan->stages[i].name;

        if (is_of_stage (op->programs, stage))
            field_problem (field_find (declared, "programs"),
                           "programs: results of stage '%s' lie below '%s'; "
                           "call one of the two otherwise",
                           stage, stage);
    }
}

void programs_check_places (const struct compilation *c)
{
    const struct operator_set *set = &c->operators;

    for (size_t i = 0; set->node && i < set->node->n; i++) {
        if (set->own[i] && set->own[i]->programs)
            check_places (c, set->own[i], set->node->items[i]);
    }
}
