/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_text.c - inputs of CP2K, of what DP-GEN has as keys and values
 *
 * A section is a mapping; "_" is its parameter; where its values are lists the
 * section is repeated, once for each element.
 */
#include "base/base.h"

#include "base/json.h"
#include "import/label_texts.h"

enum { INDENT = 2, DEPTH_MAX = 16 };

/* What DP-GEN begins with: PBE, 400 Ry, the files that CP2K brings. */
static const char defaults[] =
    "{\"FORCE_EVAL\": {\"METHOD\": \"QS\","
    "  \"STRESS_TENSOR\": \"ANALYTICAL\","
    "  \"DFT\": {"
    "    \"BASIS_SET_FILE_NAME\": \"BASIS_MOLOPT\","
    "    \"POTENTIAL_FILE_NAME\": \"GTH_POTENTIALS\","
    "    \"CHARGE\": 0, \"UKS\": \"F\","
    "    \"MGRID\": {\"CUTOFF\": 400, \"REL_CUTOFF\": 50, \"NGRIDS\": 4},"
    "    \"QS\": {\"EPS_DEFAULT\": \"1.0E-12\"},"
    "    \"SCF\": {\"SCF_GUESS\": \"ATOMIC\", \"EPS_SCF\": \"1.0E-6\","
    "              \"MAX_SCF\": 50},"
    "    \"XC\": {\"XC_FUNCTIONAL\": {\"_\": \"PBE\"}}},"
    "  \"SUBSYS\": {}}}";

/* Over 'below', mappings key by key. */
static struct json *merged (const struct json *below, const struct json *over,
                            int depth)
{
    struct json *out = json_object ();

    JSON_FOREACH (below, it)
        json_set (out, json_iter_key (it), json_ref (json_iter_value (it)));
    JSON_FOREACH (over, it) {
        const char *key = json_iter_key (it);
        struct json *v = json_iter_value (it), *old = json_get (out, key);
        bool both = json_kind (old) == JSON_KIND_OBJECT
                    && json_kind (v) == JSON_KIND_OBJECT && depth > 0;

        json_set (out, key, both ? merged (old, v, depth - 1) : json_ref (v));
    }
    return out;
}

static void add_scalar (const struct json *v, struct strbuf *out)
{
    if (json_kind (v) == JSON_KIND_STRING)
        strbuf_add_str (out, json_as_string (v));
    else
        json_dump (v, JSON_COMPACT, out);
}

/* How often the section is repeated: the length of its lists; 1: it has none.
 */
static size_t repeats (const struct json *section)
{
    size_t n = 1;

    JSON_FOREACH (section, it) {
        const struct json *v = json_iter_value (it);

        if (json_kind (v) == JSON_KIND_ARRAY && json_count (v) > n)
            n = json_count (v);
    }
    return n;
}

static int add_section (const char *name, const struct json *section,
                        int indent, struct strbuf *out, struct error *err);

/* The keys of the section, of lists the item 'i'. */
static int add_keys (const struct json *section, size_t i, int indent,
                     struct strbuf *out, struct error *err)
{
    JSON_FOREACH (section, it) {
        const char *key = json_iter_key (it);
        const struct json *v = json_iter_value (it);

        if (json_kind (v) == JSON_KIND_ARRAY)
            v = json_at (v, i);
        if (key[0] == '_' || !v)
            continue;
        if (json_kind (v) == JSON_KIND_OBJECT) {
            if (add_section (key, v, indent, out, err) < 0)
                return -1;
        } else {
            strbuf_addf (out, "%*s%s ", indent, "", key);
            add_scalar (v, out);
            strbuf_add_char (out, '\n');
        }
    }
    return 0;
}

static int add_section (const char *name, const struct json *section,
                        int indent, struct strbuf *out, struct error *err)
{
    const struct json *parameter = json_get (section, "_");

    if (indent > DEPTH_MAX * INDENT)
        return error_set (err, "user_fp_params: '%s' is nested too deep", name);
    for (size_t i = 0; i < repeats (section); i++) {
        strbuf_addf (out, "%*s&%s", indent, "", name);
        if (parameter) {
            strbuf_add_char (out, ' ');
            add_scalar (json_kind (parameter) == JSON_KIND_ARRAY
                            ? json_at (parameter, i)
                            : parameter,
                        out);
        }
        strbuf_add_char (out, '\n');
        if (add_keys (section, i, indent + INDENT, out, err) < 0)
            return -1;
        strbuf_addf (out, "%*s&END %s\n", indent, "", name);
    }
    return 0;
}

int cp2k_text (const struct json *sections, struct strbuf *out,
               struct error *err)
{
    _cleanup_json_ struct json *below =
        json_parse (defaults, sizeof (defaults) - 1, "defaults", err);
    _cleanup_json_ struct json *all =
        below ? merged (below, sections, DEPTH_MAX) : NULL;
    _cleanup_ (strbuf_release) struct strbuf whole = STRBUF_INIT;
    int rc = all ? add_keys (all, 0, 0, &whole, err) : -1;

    if (rc == 0)
        cp2k_text_of_template (whole.buf, out);
    return rc;
}

/* --- what cp2k.label writes itself --- */

/* Sections and keys, by the path of their sections. */
static const char *const completed[] = {
    "GLOBAL/PROJECT",
    "GLOBAL/PROJECT_NAME",
    "GLOBAL/RUN_TYPE",
    "EXT_RESTART",
    "MULTIPLE_FORCE_EVALS",
    "FORCE_EVAL/SUBSYS/CELL",
    "FORCE_EVAL/SUBSYS/COORD",
    "FORCE_EVAL/SUBSYS/TOPOLOGY",
    "FORCE_EVAL/SUBSYS/PRINT/ATOMIC_COORDINATES",
    "FORCE_EVAL/SUBSYS/PRINT/CELL",
    "FORCE_EVAL/PRINT/FORCES",
    "FORCE_EVAL/PRINT/STRESS_TENSOR",
    NULL,
};

/* The sections that are open, and what follows them in the path. */
struct place {
    struct strbuf path; /* "FORCE_EVAL/SUBSYS" */
    int inside;         /* sections that are left out */
};

static void open_section (struct place *place, const char *name, size_t len)
{
    if (place->path.len > 0)
        strbuf_add_char (&place->path, '/');
    for (size_t i = 0; i < len; i++)
        strbuf_add_char (&place->path, (char)toupper ((unsigned char)name[i]));
}

static void close_section (struct place *place)
{
    const char *slash = strrchr (place->path.buf, '/');

    strbuf_truncate (&place->path,
                     slash ? (size_t)(slash - place->path.buf) : 0);
}

/* Is what is named so in the sections that are open one of these? */
static bool is_completed (struct place *place, const char *name, size_t len)
{
    size_t before = place->path.len;
    bool found;

    open_section (place, name, len);
    found = words_contain (completed, place->path.buf);
    strbuf_truncate (&place->path, before);
    return found;
}

/* Is the line left out?  Sections are opened and closed by it. */
static bool leave_out (struct place *place, const char *line)
{
    const char *word = line + strspn (line, " \t");
    size_t len = strcspn (word, " \t\r\n#!");

    if (*word != '&')
        return place->inside > 0
               || (len > 0 && is_completed (place, word, len));
    word++;
    len--;
    if (len >= 3 && strncasecmp (word, "END", 3) == 0) {
        if (place->inside > 0) {
            place->inside--;
            return true;
        }
        close_section (place);
        return false;
    }
    if (place->inside > 0 || is_completed (place, word, len)) {
        place->inside++;
        return true;
    }
    open_section (place, word, len);
    return false;
}

void cp2k_text_of_template (const char *text, struct strbuf *out)
{
    struct place place = { .path = STRBUF_INIT };

    while (*text) {
        size_t line = strcspn (text, "\n");

        line += text[line] == '\n';
        if (!leave_out (&place, text))
            strbuf_add (out, text, line);
        text += line;
    }
    strbuf_release (&place.path);
}
