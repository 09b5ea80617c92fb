/* SPDX-License-Identifier: BSD-3-Clause */
/* field_reader.c - YAML nodes -> checked values, every complaint recorded */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/field_reader.h"

const struct yaml_node *field_find (const struct yaml_node *node,
                                    const char *key)
{
    const struct yaml_node *value = yaml_get (node, key);

    return yaml_is_null (value) ? NULL : value;
}

/* --- complaints --- */

/* More words than this do not help anybody choose. */
enum { LISTED_MAX = 16 };

static void add_choices (struct strbuf *text, const struct strvec *candidates)
{
    if (candidates->n == 0)
        strbuf_add_str (text, "; there is none: remove it");
    for (size_t i = 0; i < candidates->n && i < LISTED_MAX; i++)
        strbuf_addf (text, "%s%s", i ? ", " : "; there is ", candidates->v[i]);
    if (candidates->n > LISTED_MAX)
        strbuf_add_str (text, ", ...");
}

static PRINTF_LIKE (4,
                    0) void complain_unknown (const struct yaml_node *node,
                                              const char *word,
                                              const struct strvec *candidates,
                                              const char *fmt, va_list ap)
{
    const char *near = nearest_word (word, candidates);
    struct strbuf text = STRBUF_INIT;

    strbuf_vaddf (&text, fmt, ap);
    if (near)
        strbuf_addf (&text, "; did you mean '%s'?", near);
    else
        add_choices (&text, candidates);
    field_problem (node, "%s", text.buf);
    strbuf_release (&text);
}

int field_unknown (const struct yaml_node *node, const char *word,
                   const struct strvec *candidates, const char *fmt, ...)
{
    va_list ap;

    va_start (ap, fmt);
    complain_unknown (node, word, candidates, fmt, ap);
    va_end (ap);
    return -1;
}

int field_choose (const struct yaml_node *node, const char *word,
                  const void *table, size_t n, size_t size, const char *fmt,
                  ...)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int index = -1;
    va_list ap;

    for (size_t i = 0; index < 0 && i < n; i++) {
        strvec_push (&names,
                     *(const char *const *)((const char *)table + i * size));
        if (strcmp (names.v[i], word) == 0)
            index = (int)i;
    }
    va_start (ap, fmt);
    if (index < 0)
        complain_unknown (node, word, &names, fmt, ap);
    va_end (ap);
    return index;
}

/* "NAME: got WHAT; write WANTED". */
static int complain_as (const struct yaml_node *node, const char *name,
                        const char *wanted)
{
    if (yaml_is_null (node))
        return field_problem (node, "%s: got nothing; write %s", name, wanted);
    if (node->kind != YAML_SCALAR)
        return field_problem (node, "%s: got %s; write %s", name,
                              yaml_kind_name (node), wanted);
    return field_problem (node, "%s: got '%s'; write %s", name, node->text,
                          wanted);
}

static int complain (const struct yaml_node *node, const char *wanted)
{
    return complain_as (node, yaml_name (node), wanted);
}

/* --- containers --- */

static const char mapping_wanted[] = "a mapping of 'key: value' lines";

int field_any_mapping (const struct yaml_node *node)
{
    if (node->kind == YAML_MAPPING)
        return 0;
    return complain (node, mapping_wanted);
}

/* Words that schedulers and other programs have, and what ours is. */
static const struct foreign_word {
    const char *theirs, *ours;
} foreign_words[] = {
    { "cpus", "cores" },
    { "cpu", "cores" },
    { "ncpus", "cores" },
    { "cpus_per_task", "cores" },
    { "threads", "cores" },
    { "mem", "memory" },
    { "time", "walltime" },
    { "timelimit", "walltime" },
    { "time_limit", "walltime" },
    { "ntasks", "ranks" },
    { "nprocs", "ranks" },
    { "procs", "ranks" },
    { "mpi", "ranks" },
    { "gres", "gpus" },
    { "ngpus", "gpus" },
    { "queue_name", "queue" },
    { "max_iterations", "iterations" },
    { "type_map", "elements" },
    { "inputs", "with" },
    { "operator", "uses" },
    { "name", "campaign" },
};

static bool has_key (const struct field *fields, const char *key)
{
    while (fields->key && strcmp (fields->key, key) != 0)
        fields++;
    return fields->key != NULL;
}

/* Record what others call otherwise; false: 'key' is no such word. */
static bool refuse_foreign (const struct yaml_node *key, const char *name,
                            const struct field *fields)
{
    static const char *const profiles[] = { "partition", "queue", "account",
                                            "qos", NULL };

    for (size_t i = 0; i < ARRAY_SIZE (foreign_words); i++) {
        const struct foreign_word *word = &foreign_words[i];

        if (strcmp (word->theirs, key->text) == 0
            && has_key (fields, word->ours)) {
            field_problem (key, "unknown key '%s' in %s; write %s", key->text,
                           name, word->ours);
            return true;
        }
    }
    if (!words_contain (profiles, key->text)
        || !(has_key (fields, "walltime") || has_key (fields, "uses")))
        return false;
    field_problem (key,
                   "unknown key '%s' in %s; it belongs to a profile of "
                   "site.yaml, which the stage names by profile: NAME",
                   key->text, name);
    return true;
}

/* A key that was not filled in is as good as not there. */
static void warn_of_nothing (const struct yaml_node *key,
                             const struct yaml_node *value, const char *name)
{
    if (yaml_is_null (value) && value->text && value->text[0] == '\0'
        && !field_reader_of (key)->recorded)
        field_warning (key,
                       "key '%s' of %s has no value and does nothing; write "
                       "one, or remove the key",
                       key->text, name);
}

int field_mapping (const struct yaml_node *node, const char *name,
                   const struct field *fields)
{
    size_t n = 0;

    if (node->kind != YAML_MAPPING)
        return complain_as (node, name, mapping_wanted);
    while (fields[n].key)
        n++;
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text;

        if (!has_key (fields, key)
            && refuse_foreign (node->keys[i], name, fields))
            continue;
        if (field_choose (node->keys[i], key, fields, n, sizeof (*fields),
                          "unknown key '%s' in %s", key, name)
            >= 0)
            warn_of_nothing (node->keys[i], node->items[i], name);
    }
    return 0;
}

void field_members (const struct yaml_node *node, const struct field *fields,
                    void *record)
{
    for (; fields->key; fields++) {
        const struct yaml_node *value = field_find (node, fields->key);
        void *member = (char *)record + fields->offset;

        if (value && fields->read)
            fields->read (value, member);
        else if (value)
            field_value (value, fields, member);
    }
}

int field_record (const struct yaml_node *node, const char *name,
                  const struct field *fields, void *record)
{
    if (field_mapping (node, name, fields) < 0)
        return -1;
    field_members (node, fields, record);
    return 0;
}

int field_list (const struct yaml_node *node)
{
    if (node->kind == YAML_SEQUENCE)
        return 0;
    if (node->kind == YAML_SCALAR && node->text[0])
        return field_problem (node, "%s: got '%s'; write a list, [%s]",
                              yaml_name (node), node->text, node->text);
    return complain (node, "a list, [a, b, ...]");
}

/* --- scalars --- */

/* Text ends up in scripts and messages: a line break could forge a line. */
static bool is_one_line (const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    }
    return true;
}

int field_text (const struct yaml_node *node, const char **out)
{
    if (node->kind != YAML_SCALAR || yaml_is_null (node)
        || node->text[0] == '\0')
        return complain (node, "text");
    if (!is_one_line (node->text))
        return field_problem (node,
                              "%s: has a line break or a control character; "
                              "write one line of text",
                              yaml_name (node));
    *out = arena_strdup (field_arena (node), node->text);
    return 0;
}

const char *field_path (const struct yaml_node *node, const char *name,
                        const char *dir)
{
    const char *text, *path;
    _cleanup_free_ char *joined = NULL;
    _cleanup_free_ char *absolute = NULL;

    if (field_text (node, &text) < 0)
        return NULL;
    if (!field_reader_of (node)->recorded
        && (text[0] == '~' || strchr (text, '$'))) {
        field_problem (node,
                       "%s: '%s': nothing is put in for ~ and $; write the "
                       "whole path",
                       name, text);
        return NULL;
    }
    joined = path_join (dir, text);
    absolute = path_absolute (joined);
    path = arena_strdup (field_arena (node), absolute);
    return path;
}

void field_remark (const struct yaml_node *node, void *unused)
{
    const char *text;

    (void)unused;
    field_text (node, &text);
}

static int read_count (const struct yaml_node *node, const struct field *field,
                       void *member)
{
    int64_t n;
    int narrow;
    char wanted[100];

    if (yaml_to_int (node, &n) == 0 && n >= field->least
        && (field->most == 0 || n <= field->most)) {
        narrow = (int)n;
        memcpy (member, field->size == sizeof (n) ? (void *)&n : &narrow,
                field->size);
        return 0;
    }
    if (field->most > 0)
        snprintf (wanted, sizeof (wanted),
                  "a whole number from %" PRId64 " to %" PRId64, field->least,
                  field->most);
    else
        snprintf (wanted, sizeof (wanted),
                  "a whole number of at least %" PRId64, field->least);
    return complain (node, wanted);
}

static int read_fraction (const struct yaml_node *node, double *out)
{
    double v;

    if (yaml_to_double (node, &v) < 0 || v < 0 || v > 1)
        return complain (node, "a number from 0 to 1");
    *out = v;
    return 0;
}

int field_refuse_clock (const struct yaml_node *node, const char *name)
{
    static const char digits[] = "0123456789";
    size_t first = node->text ? strspn (node->text, digits) : 0, second;
    int a, b;

    if (first == 0 || first > 6 || node->text[first] != ':'
        || field_reader_of (node)->recorded) /* it was taken for minutes once */
        return 0;
    second = strspn (node->text + first + 1, digits);
    if (second == 0 || second > 6 || node->text[first + 1 + second])
        return 0;
    a = atoi (node->text);
    b = atoi (node->text + first + 1);
    if (a > 0 && b > 0)
        return field_problem (node,
                              "%s: '%s' may be hours or minutes; write %dh%dm "
                              "or %dm%ds",
                              name, node->text, a, b, a, b);
    return field_problem (node,
                          "%s: '%s' may be hours or minutes; write %d%s or "
                          "%d%s",
                          name, node->text, a + b, a > 0 ? "h" : "m", a + b,
                          a > 0 ? "m" : "s");
}

/* Schedulers take a number alone for minutes. */
static void warn_of_seconds (const struct yaml_node *node)
{
    const char *text = node->text;

    if (strcmp (yaml_name (node), "walltime") == 0
        && text[strspn (text, "0123456789")] == '\0')
        field_warning (node,
                       "walltime: %s alone is in seconds; write %ss, or %sm "
                       "for minutes",
                       text, text, text);
}

static int read_duration (const struct yaml_node *node, double *out_s)
{
    double s;

    if (field_refuse_clock (node, yaml_name (node)) < 0)
        return -1;
    if (node->kind != YAML_SCALAR || parse_duration (node->text, &s) < 0
        || s <= 0)
        return complain (
            node, "a duration of more than 0, such as 90s, 10m or 1h30m");
    warn_of_seconds (node);
    *out_s = s;
    return 0;
}

/* Schedulers take a number alone for MiB. */
static void warn_of_bytes (const struct yaml_node *node)
{
    const char *text = node->text;

    if (strcmp (yaml_name (node), "memory") == 0
        && text[strspn (text, "0123456789")] == '\0')
        field_warning (node,
                       "memory: %s alone is in bytes; write %sMiB, or %sGiB",
                       text, text, text);
}

static int read_bytes (const struct yaml_node *node, int64_t least,
                       int64_t *out)
{
    _cleanup_ (strbuf_release) struct strbuf wanted = STRBUF_INIT;
    int64_t n;

    if (node->kind == YAML_SCALAR && parse_bytes (node->text, &n) == 0 && n > 0
        && n >= least) {
        *out = n;
        warn_of_bytes (node);
        return 0;
    }
    strbuf_add_str (&wanted, "a size of ");
    if (least > 0)
        format_bytes (least, &wanted);
    else
        strbuf_add_str (&wanted, "more than 0");
    strbuf_addf (&wanted, "%s, such as 512MiB or 4GiB",
                 least > 0 ? " or more" : "");
    return complain (node, wanted.buf);
}

/* --- lists of text --- */

/* What YAML takes for a mapping was meant as text: {seed}, {"n": 5}. */
static int refuse_braces (const struct yaml_node *node)
{
    bool placeholder =
        node->n == 1 && node->keys[0]->text && yaml_is_null (node->items[0]);

    if (placeholder)
        return field_problem (node,
                              "%s: without quotes YAML takes {%s} for a "
                              "mapping; write \"{%s}\"",
                              yaml_name (node), node->keys[0]->text,
                              node->keys[0]->text);
    return field_problem (node,
                          "%s: without quotes YAML takes {...} for a mapping; "
                          "write '{...}'",
                          yaml_name (node));
}

/* One argument; only a program may not be empty. */
static int read_argument (const struct yaml_node *node, bool program,
                          const char **out)
{
    if (node->kind == YAML_MAPPING)
        return refuse_braces (node);
    if (node->kind != YAML_SCALAR)
        return complain (node, "text for every program and argument");
    if (node->text[0] == '\0' && (program || !node->quoted))
        return field_problem (node, "%s: an empty %s; remove it%s",
                              yaml_name (node),
                              program ? "program" : "argument",
                              program ? "" : " or quote it: \"\"");
    *out = arena_strdup (field_arena (node), node->text);
    return 0;
}

/* A list of arguments, or of other text. */
static int read_texts (const struct yaml_node *node, bool arguments,
                       const char *const **out)
{
    const char **list =
        arena_array (field_arena (node), node->n + 1, sizeof (*list));
    int rc = 0;

    for (size_t i = 0; i < node->n; i++) {
        if ((arguments ? read_argument (node->items[i], i == 0, &list[i])
                       : field_text (node->items[i], &list[i]))
            < 0)
            rc = -1;
    }
    if (rc == 0)
        *out = list;
    return rc;
}

int field_strings (const struct yaml_node *node, const char *const **out)
{
    return field_list (node) < 0 ? -1 : read_texts (node, false, out);
}

int field_argv (const struct yaml_node *node, const char *const **out)
{
    if (node->kind != YAML_SEQUENCE || node->n == 0)
        return complain (node, "a list, [program, argument, ...]; there is no "
                               "shell to split words");
    return read_texts (node, true, out);
}

static int read_argvs (const struct yaml_node *node,
                       const char *const *const **out)
{
    bool several = node->kind == YAML_SEQUENCE && node->n > 0
                   && node->items[0]->kind == YAML_SEQUENCE;
    size_t n = several ? node->n : 1;
    const char *const **list =
        arena_array (field_arena (node), n + 1, sizeof (*list));
    int rc = 0;

    for (size_t i = 0; i < n; i++) {
        if (field_argv (several ? node->items[i] : node, &list[i]) < 0)
            rc = -1;
    }
    if (rc == 0)
        *out = list;
    return rc;
}

int field_value (const struct yaml_node *node, const struct field *field,
                 void *member)
{
    switch (field->kind) {
    case FIELD_TEXT:
        return field_text (node, member);
    case FIELD_BOOL:
        if (yaml_to_bool (node, member) == 0)
            return 0;
        return complain (node, "true or false");
    case FIELD_COUNT:
        return read_count (node, field, member);
    case FIELD_FRACTION:
        return read_fraction (node, member);
    case FIELD_DURATION:
        return read_duration (node, member);
    case FIELD_BYTES:
        return read_bytes (node, field->least, member);
    case FIELD_STRINGS:
        return field_strings (node, member);
    case FIELD_ARGV:
        return field_argv (node, member);
    case FIELD_ARGVS:
        return read_argvs (node, member);
    case FIELD_KEY_ONLY:
        break;
    }
    return 0;
}

/* --- elements --- */

void field_no_elements (const struct yaml_node *node)
{
    while (node->up)
        node = node->up;
    if (yaml_get (node, "elements"))
        return; /* what is wrong with them was said */
    field_problem (node, "the campaign names no elements, and its stages need "
                         "them; add elements: [Si], in the order of their "
                         "types");
}

/* --- words --- */

bool word_is_name (const char *word)
{
    return word[0] >= 'a' && word[0] <= 'z'
           && word[strspn (word, "abcdefghijklmnopqrstuvwxyz0123456789_")]
                  == '\0';
}

bool word_is_title (const char *word)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_.-";
    size_t len = strlen (word);

    return len > 0 && len <= 64 && !strchr ("_.-", word[0])
           && strspn (word, characters) == len;
}
