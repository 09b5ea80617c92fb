/* SPDX-License-Identifier: BSD-3-Clause */
/* section.c - inputs that stand together */
#include "config.h"

#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
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

bool section_remedy (const struct operator_spec *op, const char *word,
                     struct strbuf *out)
{
    for (const struct other_name *other = op->other_names;
         other && other->theirs; other++) {
        if (strcmp (other->theirs, word) == 0) {
            strbuf_addf (out, "write %s", other->ours);
            return true;
        }
    }
    for (const struct port *port = op->inputs; port && port->name; port++) {
        const char *dot = strchr (port->name, '.');

        if (dot
            && (strcmp (dot + 1, word) == 0
                || strcmp (port->name, word) == 0)) {
            strbuf_addf (out, "write %.*s: {%s: ...}", (int)(dot - port->name),
                         port->name, dot + 1);
            return true;
        }
    }
    return false;
}
