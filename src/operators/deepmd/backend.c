/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.c - DeePMD-kit's backends, and models that a directory holds */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/file_copy.h"
#include "operators/deepmd/backend.h"
#include "operators/deepmd/model.h"
#include "operators/deepmd/train_input.h"

enum { POINTER_MAX_BYTES = 1 << 16 };

static const char *const tf_checkpoint[] = { ".index", ".meta",
                                             ".data-00000-of-00001", NULL };
static const char *const tf_frozen[] = { ".pb", NULL };
static const char *const pt_checkpoint[] = { ".pt", NULL };
static const char *const pt_frozen[] = { ".pth", ".pt2", NULL };
static const char *const jax_checkpoint[] = { ".jax", NULL };
static const char *const jax_frozen[] = { ".savedmodel", ".hlo", NULL };
static const char *const pd_checkpoint[] = { ".pd", NULL };
static const char *const pd_frozen[] = { ".json", ".pdiparams", NULL };

/* `dp` of version 2 has no flags: TensorFlow is what it does without, and
 * later ones by DP_BACKEND.
 */
static const struct deepmd_backend backends[] = {
    { "tf", NULL, tf_checkpoint, "graph.pb", tf_frozen, .trains_ranks = true,
      .compresses = true, .finetunes_frozen = true, .starts_frozen = true },
    { "pt", "--pt", pt_checkpoint, "graph.pth", pt_frozen, .compresses = true,
      .starts_frozen = true },
    { "jax", "--jax", jax_checkpoint, "graph.savedmodel", jax_frozen,
      .compresses = false },
    { "pd", "--pd", pd_checkpoint, "graph.json", pd_frozen,
      .compresses = false },
};

const struct deepmd_backend *deepmd_backend_find (const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE (backends); i++) {
        if (strcmp (backends[i].name, name) == 0)
            return &backends[i];
    }
    return NULL;
}

/* PyTorch trains ranks that torchrun starts; those of a launcher do not know of
 * each other, and each writes the same files.
 */
int deepmd_backend_check_ranks (const struct deepmd_backend *backend, int ranks,
                                struct error *err)
{
    if (ranks <= 1 || backend->trains_ranks)
        return 0;
    return error_set (err,
                      "backend: under the launcher, %d ranks of %s would be %d "
                      "trainings that write the same files (%s); write task: "
                      "{ranks: 1}, or backend: tf, which Horovod trains so",
                      ranks, backend->name, ranks,
                      strcmp (backend->name, "pt") == 0
                          ? "dp --pt trains ranks under torchrun alone"
                          : "dp has no such training with it");
}

/* --- models in a directory --- */

static bool ends_with (const char *text, const char *ending)
{
    size_t len = strlen (text), n = strlen (ending);

    return len >= n && strcmp (text + len - n, ending) == 0;
}

static bool has_ending (const char *dir, const char *name, const char *ending)
{
    (void)dir;
    return ends_with (name, ending);
}

static bool is_dir (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

/* 'dir' may be the model itself. */
static char *find_model (const char *dir, const char *stem, const char *ending,
                         struct error *err)
{
    _cleanup_free_ char *preferred = NULL;
    _cleanup_free_ char *name = NULL;
    char *path = NULL;
    size_t n;

    if (ends_with (dir, ending) || !is_dir (dir))
        return xstrdup (dir);
    preferred = xasprintf ("%s%s", stem, ending);
    name = deepmd_only_file (dir, preferred, has_ending, ending, &n);

    if (name)
        path = path_join (dir, name);
    else if (n > 1)
        error_set (err,
                   "'%s' has %zu files that end in %s, and none is called %s; "
                   "leave one of them",
                   dir, n, ending, preferred);
    else
        error_set (err, "'%s' has no %s, nor another file that ends in %s", dir,
                   preferred, ending);
    return path;
}

/* `dp` is told the name of a checkpoint of several files without an ending. */
static void cut_ending (const struct deepmd_backend *backend, char *path)
{
    if (backend->checkpoint[1] && ends_with (path, backend->checkpoint[0]))
        path[strlen (path) - strlen (backend->checkpoint[0])] = '\0';
}

/* A file that is a frozen model. */
static bool is_frozen (const struct deepmd_backend *backend, const char *path)
{
    for (const char *const *e = backend->frozen_endings; *e; e++) {
        if (ends_with (path, *e))
            return true;
    }
    return false;
}

char *deepmd_find_checkpoint (const struct deepmd_backend *backend,
                              const char *dir, struct error *err)
{
    char *path;

    if (is_frozen (backend, dir)) {
        error_set (err,
                   "'%s' is a frozen model, and not a checkpoint (%s); "
                   "name that, or write %s in place of this input",
                   dir, backend->checkpoint[0],
                   backend->starts_frozen ? "init_frz" : "another model");
        return NULL;
    }
    path = find_model (dir, DEEPMD_CHECKPOINT, backend->checkpoint[0], err);

    if (path)
        cut_ending (backend, path);
    return path;
}

char *deepmd_find_frozen (const struct deepmd_backend *backend, const char *dir,
                          struct error *err)
{
    char *path = NULL;

    for (const char *const *e = backend->frozen_endings; !path && *e; e++)
        path = find_model (dir, "graph", *e, NULL);
    if (!path)
        (void)find_model (dir, "graph", backend->frozen_endings[0], err);
    return path;
}

/* --- the checkpoint of a training in the current directory --- */

/* Are all files there of a checkpoint that is told as `dp` takes it? */
static bool is_whole (const struct deepmd_backend *backend, const char *name)
{
    bool whole = true;

    if (!backend->checkpoint[1])
        return ends_with (name, backend->checkpoint[0]) && file_exists (name);
    for (const char *const *e = backend->checkpoint; whole && *e; e++) {
        _cleanup_free_ char *path = xasprintf ("%s%s", name, *e);

        whole = file_exists (path);
    }
    return whole;
}

/* What the file `checkpoint` names: TensorFlow writes
 * model_checkpoint_path: "model.ckpt-200", the others model.ckpt-200.pt.  They
 * write it when that is whole.
 */
static char *named_checkpoint (void)
{
    struct strbuf text = STRBUF_INIT;
    char *start, *end, *name;

    if (file_read ("checkpoint", POINTER_MAX_BYTES, &text, NULL) < 0)
        return NULL;
    start = strchr (text.buf, '"');
    start = start ? start + 1 : text.buf;
    end = start + strcspn (start, "\"\r\n");
    *end = '\0';
    name = xstrdup (path_base (start));
    strbuf_release (&text);
    return name;
}

char *deepmd_last_checkpoint (const struct deepmd_backend *backend)
{
    char *name = named_checkpoint ();

    if (name && is_whole (backend, name))
        return name;
    free (name);
    name = xasprintf ("%s%s", DEEPMD_CHECKPOINT,
                      backend->checkpoint[1] ? "" : backend->checkpoint[0]);
    /* of several links some may be of the next checkpoint */
    if (!backend->checkpoint[1] && is_whole (backend, name))
        return name;
    free (name);
    return NULL;
}

/* The file itself, where 'path' is a link to it. */
static char *real_path (const char *path)
{
    char *link = file_read_link (path, NULL);

    return link ? link : xstrdup (path);
}

int deepmd_keep_checkpoint (const struct deepmd_backend *backend,
                            const char *dir, struct error *err)
{
    char *name = deepmd_last_checkpoint (backend);
    int rc = 0;

    if (!name)
        return error_set (err, "the training left no " DEEPMD_CHECKPOINT "%s",
                          backend->checkpoint[0]);
    if (file_make_dirs (dir, err) < 0)
        rc = -1;
    for (const char *const *e = backend->checkpoint; rc == 0 && *e; e++) {
        _cleanup_free_ char *path =
            xasprintf ("%s%s", name, backend->checkpoint[1] ? *e : "");
        _cleanup_free_ char *from = real_path (path);
        _cleanup_free_ char *to =
            xasprintf ("%s/" DEEPMD_CHECKPOINT "%s", dir, *e);

        rc = file_copy (from, to, 0666, NULL, err);
    }
    free (name);
    return rc;
}
