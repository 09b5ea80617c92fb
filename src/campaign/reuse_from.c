/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_from.c - campaigns whose results are taken: `reuse_from` */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "base/yaml_tree.h"
#include "campaign/field_reader.h"
#include "campaign/reuse_from.h"
#include "space/layout.h"

/* --- reading --- */

void reuse_from_read (const struct yaml_node *list, const char *dir,
                      struct reuse_from *from)
{
    struct arena *arena = field_arena (list);
    const char *const *texts;
    const char *file = list->mark.file ? list->mark.file : "site.yaml";
    struct reuse_source *v;

    if (field_strings (list, &texts) < 0)
        return;
    v = arena_array (arena, from->n + list->n, sizeof (*v));
    if (from->n > 0)
        memcpy (v, from->v, from->n * sizeof (*v));
    from->v = v;
    for (size_t i = 0; i < list->n; i++) {
        const char *path = field_path (list->items[i], "reuse_from", dir);

        if (!path)
            continue;
        from->v[from->n] = (struct reuse_source){ path, list->items[i]->mark };
        from->v[from->n++].mark.file = arena_strdup (arena, file);
    }
}

/* --- looking --- */

struct finding {
    const char *pattern;
    const char *dir; /* resolved */
    struct strvec *dirs;
    void (*wrong) (const char *text, void *arg);
    void *arg;
};

static void say (const struct finding *f, const char *what, const char *path,
                 const char *advice)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "'%s' %s; %s", path, what, advice);
    if (f->wrong)
        f->wrong (text.buf, f->arg);
}

/* Programs before generations left no number beside outputs.json. */
static bool is_older (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    bool older = false;

    (void)file_glob (dir, "*/*/iter/*/" LAYOUT_OUTPUTS, &found, NULL);
    if (found.n > 0) {
        _cleanup_free_ char *outputs = path_join (dir, found.v[0]);
        _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;
        _cleanup_json_ struct json *manifest = NULL;

        strbuf_add (&name, outputs, (size_t)(path_base (outputs) - outputs));
        strbuf_add_str (&name, LAYOUT_STAGE_MANIFEST);
        manifest = json_read_file (name.buf, NULL);
        older = json_get_int (manifest, "generation") <= 0;
    }
    return older;
}

static bool is_campaign (const char *dir)
{
    _cleanup_free_ char *file = path_join (dir, "campaign.yaml");

    return file_exists (file);
}

const char *reuse_from_what_is_wrong (const char *real, const char **advice)
{
    struct strvec names = STRVEC_INIT;
    int rc = real ? file_list_dir (real, &names, NULL) : -1;
    int number = errno;

    strvec_release (&names);
    *advice = "name the directory of a campaign, or remove it";
    if (rc < 0 && number == ENOENT)
        return "is not there";
    if (rc < 0 && number == ENOTDIR)
        return "is no directory";
    if (rc == 0)
        return is_campaign (real) ? NULL
                                  : "is no campaign: it has no campaign.yaml";
    *advice = "ask its owner for the right to, or remove it";
    return "cannot be read";
}

/* 'named': it is no match of a pattern, which also finds what is not meant.
 * Is it a campaign?
 */
static bool look_at (const struct finding *f, const char *path, bool named)
{
    _cleanup_free_ char *real = realpath (path, NULL);
    const char *advice, *wrong = reuse_from_what_is_wrong (real, &advice);
    bool itself = !wrong && strcmp (real, f->dir) == 0;

    if (wrong && named)
        say (f, wrong, path, advice);
    else if (itself && named)
        say (f, "is the campaign itself, whose results are used in any case",
             path, "remove it");
    else if (!wrong && !itself && is_older (real))
        say (f, "was made by an older program, whose results cannot be taken",
             path, "remove it");
    else if (!wrong && !itself && !strvec_contains (f->dirs, real))
        strvec_push (f->dirs, real);
    return !wrong;
}

void reuse_from_find (const char *pattern, const char *dir, struct strvec *dirs,
                      void (*wrong) (const char *text, void *arg), void *arg)
{
    _cleanup_free_ char *real = realpath (dir, NULL);
    struct finding f = { pattern, real ? real : dir, dirs, wrong, arg };
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    struct error err = ERROR_INIT;
    size_t others = 0;

    if (!path_is_pattern (pattern)) {
        look_at (&f, pattern, true);
    } else if (file_glob ("", pattern, &paths, &err) == 0) {
        for (size_t i = 0; i < paths.n; i++) {
            bool named = strcmp (paths.v[i], pattern) == 0;

            others += look_at (&f, paths.v[i], named) || named;
        }
    }
    if (path_is_pattern (pattern) && others == 0)
        say (&f, "matches no campaign", pattern, "correct or remove it");
}

/* --- checking --- */

struct checking {
    struct problems *problems;
    struct mark mark;
};

static void note (const char *text, void *arg)
{
    const struct checking *checking = arg;

    problems_add (checking->problems, checking->mark, "reuse_from: %s", text);
}

void reuse_from_check (const struct reuse_from *from, const char *dir,
                       struct problems *problems)
{
    for (size_t i = 0; i < from->n; i++) {
        struct checking checking = { problems, from->v[i].mark };
        _cleanup_ (strvec_release) struct strvec dirs = STRVEC_INIT;

        reuse_from_find (from->v[i].pattern, dir, &dirs, note, &checking);
    }
}
