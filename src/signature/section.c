/* SPDX-License-Identifier: BSD-3-Clause */
/* section.c - inputs that stand together */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "signature/operator.h"
#include "signature/section.h"

/* The key of an input in its section; NULL: it is in none, or another. */
static const char *key_in (const char *name, const char *section)
{
    size_t len = strlen (section);

    return strncmp (name, section, len) == 0 && name[len] == '.'
               ? name + len + 1
               : NULL;
}

bool section_exists (const struct port *ports, const char *section)
{
    while (ports && ports->name && !key_in (ports->name, section))
        ports++;
    return ports && ports->name;
}

const struct port *section_input (const struct port *ports, const char *section,
                                  const char *key)
{
    for (; ports && ports->name; ports++) {
        const char *own = key_in (ports->name, section);

        if (own && strcmp (own, key) == 0)
            return ports;
    }
    return NULL;
}

void section_keys (const struct port *ports, const char *section,
                   struct strvec *keys)
{
    for (; ports && ports->name; ports++) {
        const char *own = section ? key_in (ports->name, section) : ports->name;
        struct strbuf key = STRBUF_INIT;

        if (!own)
            continue;
        strbuf_add (&key, own, strcspn (own, "."));
        if (!strvec_contains (keys, key.buf))
            strvec_push (keys, key.buf);
        strbuf_release (&key);
    }
}

struct json *inputs_in_sections (const struct json *inputs)
{
    struct json *v = json_object ();

    JSON_FOREACH (inputs, it)
        json_set_path (v, json_iter_key (it), json_ref (json_iter_value (it)));
    return v;
}

/* --- where an input is that was looked for in vain --- */

/* What others call 'word', as we have it; NULL: none is known. */
static const char *called_otherwise (const struct operator_spec *op,
                                     const char *word)
{
    const struct other_name *other = op->other_names;

    while (other && other->theirs && strcmp (other->theirs, word) != 0)
        other++;
    return other ? other->ours : NULL;
}

/* "pick: {quota: ...}". */
static void add_place (const struct port *port, struct strbuf *out)
{
    const char *dot = strchr (port->name, '.');

    strbuf_addf (out, "%.*s: {%s: ...}", (int)(dot - port->name), port->name,
                 dot + 1);
}

/* The input of a section whose key, or whole name, is 'word'; NULL: none. */
static const struct port *in_some_section (const struct port *ports,
                                           const char *word)
{
    for (; ports && ports->name; ports++) {
        const char *dot = strchr (ports->name, '.');

        if (dot
            && (strcmp (dot + 1, word) == 0 || strcmp (ports->name, word) == 0))
            return ports;
    }
    return NULL;
}

/* The name at the top, or else the key of a section, that is nearest. */
static bool add_nearest (const struct port *ports, const char *word,
                         struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec top = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec keys = STRVEC_INIT;
    const char *near, *key;

    section_keys (ports, NULL, &top);
    for (size_t i = 0; i < top.n; i++)
        section_keys (ports, top.v[i], &keys);
    near = nearest_word (word, &top);
    key = near ? NULL : nearest_word (word, &keys);
    if (near)
        strbuf_addf (out, "did you mean '%s'?", near);
    if (key) {
        strbuf_add_str (out, "did you mean ");
        add_place (in_some_section (ports, key), out);
        strbuf_add_char (out, '?');
    }
    return near || key;
}

bool input_remedy (const struct operator_spec *op, const char *word,
                   struct strbuf *out)
{
    const char *ours = called_otherwise (op, word);
    const struct port *port = in_some_section (op->inputs, word);

    if (!ours && !port)
        return add_nearest (op->inputs, word, out);
    strbuf_add_str (out, "write ");
    if (ours)
        strbuf_add_str (out, ours);
    else
        add_place (port, out);
    return true;
}
