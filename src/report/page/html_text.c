/* SPDX-License-Identifier: BSD-3-Clause */
/* html_text.c - text that anybody wrote, as HTML and SVG */
#include "base/base.h"

#include "base/json.h"
#include "report/page/html_text.h"

static void add_char (struct strbuf *out, char c)
{
    if (c == '&')
        strbuf_add_str (out, "&amp;");
    else if (c == '<')
        strbuf_add_str (out, "&lt;");
    else if (c == '>')
        strbuf_add_str (out, "&gt;");
    else if (c == '"')
        strbuf_add_str (out, "&quot;");
    else if (c == '\'')
        strbuf_add_str (out, "&#39;");
    else if (((unsigned char)c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
        strbuf_add_str (out, "\xef\xbf\xbd");
    else
        strbuf_add_char (out, c);
}

void html_add (struct strbuf *out, const char *text)
{
    struct json *clean = json_is_text (text) ? NULL : json_string (text);

    if (clean)
        text = json_as_string (clean);
    for (; *text; text++)
        add_char (out, *text);
    json_unref (clean);
}

void html_addf (struct strbuf *out, const char *fmt, ...)
{
    _cleanup_free_ char *text = NULL;
    va_list ap;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    html_add (out, text);
}
