/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_resources.c - what `resources` of a stage say of its profile */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/draft.h"
#include "import/machine_profile.h"

const char *profile_text (const struct section *s, const char *names)
{
    const char *text = json_as_string (section_get (s, names));

    return *text ? text : NULL;
}

int64_t profile_count (const struct profile *p, const char *names,
                       int64_t otherwise)
{
    int64_t n;

    if (key_int (&p->resources, names, &n, NULL) != 0)
        return otherwise;
    return n > 0 && n < 1000000 ? n : otherwise;
}

/* A shell replaces words with these; the words of a profile are taken as they
 * are.
 */
static bool needs_shell (const char *word)
{
    return word[0] == '~' || strchr (word, '$');
}

/* "setup", "launcher", "the program": where a word stands that stays as it is.
 */
void profile_remark_word (struct profile *p, const char *word,
                          const char *where, const char *key)
{
    if (!needs_shell (word))
        return;
    key_report_say (&p->draft->report, key, KEY_UNSUPPORTED,
                    "'%s' is taken as it is written: put what it stands for "
                    "into %s",
                    word, where);
    draft_remark (p->draft,
                  "%s: '%s' is not replaced by anything in %s; write what it "
                  "stands for",
                  key, word, where);
}

/* [word ..., each word of an item] for every item of a list, or a text. */
static void add_setup (struct profile *p, const char *key, const char *first,
                       const char *second)
{
    const struct json *list = section_get (&p->resources, key);
    bool one = json_kind (list) == JSON_KIND_STRING;

    for (size_t i = 0; i < (one ? 1 : json_count (list)); i++) {
        const struct json *item = one ? list : json_at (list, i);
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
        _cleanup_json_ struct json *argv = json_array ();
        _cleanup_free_ char *path = profile_key (p, key);

        strvec_split (&words, json_as_string (item), " \t");
        if (words.n > 0) {
            json_push (argv, json_string (first));
            if (second)
                json_push (argv, json_string (second));
            for (size_t k = 0; k < words.n; k++)
                json_push (argv, json_string (words.v[k]));
            json_push (p->setup, json_ref (argv));
        }
        for (size_t k = 0; k < words.n; k++)
            profile_remark_word (p, words.v[k], "setup of the profile", path);
    }
}

char *profile_key (const struct profile *p, const char *key)
{
    return xasprintf ("%s%s", p->resources.prefix, key);
}

/* A variable whose value names others cannot be one of a profile. */
static void add_env (struct profile *p, const char *path, const char *name,
                     const struct json *value)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_kind (value) == JSON_KIND_ARRAY && json_count (value) > 0)
        value = json_at (value, json_count (value) - 1);
    if (json_kind (value) == JSON_KIND_STRING)
        strbuf_add_str (&text, json_as_string (value));
    else
        json_dump (value, JSON_COMPACT, &text);
    if (strchr (text.buf, '$'))
        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        "left out: nothing in env is replaced; write %s whole "
                        "into env of the profile",
                        name);
    else if (strcmp (name, "OMP_NUM_THREADS") == 0)
        key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                        "every task has it: its cores by its ranks");
    else
        json_set (p->env, name, json_string (text.buf));
}

void profile_add_envs (struct profile *p, const struct json *envs,
                       const char *path)
{
    JSON_FOREACH (envs, it) {
        _cleanup_free_ char *below =
            xasprintf ("%s.%s", path, json_iter_key (it));

        if (json_iter_key (it)[0] != '_')
            add_env (p, below, json_iter_key (it), json_iter_value (it));
    }
}

static void add_flag_list (struct profile *p, const char *key)
{
    const struct json *list = section_get (&p->resources, key);

    for (size_t i = 0; i < json_count (list); i++) {
        _cleanup_free_ char *name = xasprintf ("%s[%zu]", key, i);
        _cleanup_free_ char *path = profile_key (p, name);

        batch_flags_add (&p->flags, p->scheduler,
                         json_as_string (json_at (list, i)), path,
                         &p->draft->report);
    }
}

/* DP-GEN and dpdispatcher, too, give this to Slurm only. */
void profile_say_of_slurm (struct profile *p, const char *key)
{
    _cleanup_free_ char *path = profile_key (p, key);

    key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                    "left out: only Slurm has it");
}

/* Lists of nodes and features were options of their own. */
static void add_named_flags (struct profile *p, const char *key,
                             const char *option)
{
    const struct json *list = section_get (&p->resources, key);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < json_count (list); i++)
        strbuf_addf (&text, "%s%s", i > 0 ? "," : option,
                     json_as_string (json_at (list, i)));
    if (text.len > 0 && strcmp (p->scheduler, "slurm") == 0)
        json_push (p->flags.directives, json_string (text.buf));
    else if (text.len > 0)
        profile_say_of_slurm (p, key);
}

/* One key of kwargs: text that says what a flag says.  dpdispatcher reads no
 * memory there, so that a number without a unit says nothing.
 */
static void add_kwarg (struct profile *p, const char *key,
                       const struct json *value, const char *path)
{
    bool is_size = strcmp (key, "slurm_job_size") == 0;
    bool is_memory = strcmp (key, "mem") == 0 || strcmp (key, "memory") == 0;
    const char *text = json_as_string (value);
    _cleanup_free_ char *flag = NULL;

    if (is_memory && text[strspn (text, "0123456789.")])
        flag = xasprintf ("--mem=%s", text);
    else if (strstr (key, "gpu_line") && *text)
        flag = xstrdup (text);
    if (flag)
        batch_flags_add (&p->flags, p->scheduler, flag, path,
                         &p->draft->report);
    else if (is_size)
        key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                        "Fanfold bundles tasks by the time they take");
    else
        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        is_memory
                            ? "left out: it has no unit; say task.memory of "
                              "the stage"
                            : "left out: no setting that Fanfold has");
}

/* One line of prepend_script: a command that needs no shell, or a variable. */
static void add_line (struct profile *p, const char *line, const char *path)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_json_ struct json *argv = json_array ();
    const char *equals;

    strvec_split (&words, line, " \t\r\n");
    equals = words.n == 2 ? strchr (words.v[1], '=') : NULL;
    for (size_t i = 0; i < words.n; i++)
        json_push (argv, json_string (words.v[i]));
    if (words.n == 0 || words.v[0][0] == '#')
        ;
    else if (strpbrk (line, "$`'\"\\;|&<>()*?[]{}~!"))
        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        "left out, since it needs a shell: '%.80s'; write it "
                        "into setup of the profile, [[sh, FILE]] or word by "
                        "word",
                        line);
    else if (equals && strcmp (words.v[0], "export") == 0) {
        _cleanup_free_ char *name =
            xstrndup (words.v[1], (size_t)(equals - words.v[1]));

        json_set (p->env, name, json_string (equals + 1));
        key_report_say (&p->draft->report, path, KEY_TRANSLATED,
                        "env of the profile");
    } else {
        json_push (p->setup, json_ref (argv));
        key_report_say (&p->draft->report, path, KEY_TRANSLATED,
                        "setup of the profile");
    }
}

static void add_prepended (struct profile *p)
{
    const struct json *lines = section_get (&p->resources, "prepend_script");

    for (size_t i = 0; i < json_count (lines); i++) {
        _cleanup_free_ char *name = xasprintf ("prepend_script[%zu]", i);
        _cleanup_free_ char *path = profile_key (p, name);

        add_line (p, json_as_string (json_at (lines, i)), path);
    }
}

/* A strategy that goes on without the last tasks. */
static void say_strategy (struct profile *p)
{
    const struct json *strategy = section_get (&p->resources, "strategy");
    const struct section s = { .v = strategy, .prefix = "" };
    double ratio = 0;
    _cleanup_free_ char *path = NULL;

    if (key_number (&s, "ratio_unfinished", &ratio, NULL) != 0 || ratio <= 0
        || ratio > 1)
        return;
    path = profile_key (p, "strategy.ratio_unfinished");
    key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                    "left out: to go on without the last tasks write "
                    "`success: %g` into the stage %s",
                    1 - ratio, p->source->profile);
}

static void add_kwargs (struct profile *p)
{
    const struct json *kwargs = section_get (&p->resources, "kwargs");

    JSON_FOREACH (kwargs, it) {
        _cleanup_free_ char *name = xasprintf ("kwargs.%s", json_iter_key (it));
        _cleanup_free_ char *path = profile_key (p, name);

        if (json_iter_key (it)[0] != '_')
            add_kwarg (p, json_iter_key (it), json_iter_value (it), path);
    }
}

/* Keys of older files that say what flags say. */
static void add_plain_limits (struct profile *p)
{
    const struct json *time = section_get (&p->resources, "time_limit");
    int64_t gib;

    if (json_kind (time) == JSON_KIND_STRING
        && !batch_flags_time (&p->flags, json_as_string (time))) {
        _cleanup_free_ char *path = profile_key (p, "time_limit");

        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        "left out: '%.40s' is no time that is understood; say "
                        "task.walltime of the stage",
                        json_as_string (time));
    }
    if (key_int (&p->resources, "mem_limit", &gib, NULL) == 0 && gib > 0
        && gib < 100000)
        p->flags.memory_bytes = gib << 30;
}

void profile_read_resources (struct profile *p)
{
    bool purge;
    _cleanup_free_ char *path = profile_key (p, "envs");

    if (key_bool (&p->resources, "module_purge", &purge, NULL) == 0 && purge) {
        struct json *argv = json_array ();

        json_push (argv, json_string ("module"));
        json_push (argv, json_string ("purge"));
        json_push (p->setup, argv);
    }
    add_setup (p, "module_unload_list", "module", "unload");
    add_setup (p, "module_list", "module", "load");
    add_setup (p, "source_list", "source", NULL);
    profile_add_envs (p, section_get (&p->resources, "envs"), path);
    add_flag_list (p, "custom_flags");
    add_named_flags (p, "exclude_list", "--exclude=");
    add_named_flags (p, "constraint_list", "--constraint=");
    add_kwargs (p);
    add_prepended (p);
    say_strategy (p);
    add_plain_limits (p);
}
