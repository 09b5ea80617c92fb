/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_reader.c - what stands at known places of an XML document */
#include "base/base.h"

#include <expat.h>

#include "formats/lines.h"
#include "formats/number.h"
#include "formats/xml_reader.h"

enum {
    MAX_DEPTH = 64,
    MAX_NUMBERS = 30000000,
    TEXT_BYTES = 4096, /* a few numbers are shorter */
    FEED_BYTES = 64 * 1024,
    MAX_TOKEN_BYTES = 8 * 1024 * 1024, /* the parser keeps all of one */
};

struct xml_reader {
    XML_Parser parser;
    struct lines *lines; /* only its file, or the text, is used */
    const struct xml_handler *handler;
    void *arg;
    struct single_point *point;
    bool fed;   /* the parser has all of the file */
    bool ended; /* the document, not only the file */
    bool paused;
    bool failed;        /* the error is told by 'failure' */
    size_t token_bytes; /* given to the parser since it last told anything */
    struct error failure;

    const struct xml_place *places[MAX_DEPTH + 1];
    int depth;
    struct strbuf text; /* of the element at hand, where it is read */
};

static const struct xml_place elsewhere = { .place = XML_ELSEWHERE };
static const struct xml_place document = { .place = XML_DOCUMENT };

void xml_fail (struct xml_reader *reader, const char *what)
{
    if (reader->failed)
        return;
    reader->failed = true;
    error_set (&reader->failure, "%s:%lu: %s", reader->lines->file.name,
               (unsigned long)XML_GetCurrentLineNumber (reader->parser), what);
    XML_StopParser (reader->parser, XML_FALSE);
}

void xml_pause (struct xml_reader *reader)
{
    reader->paused = true;
    XML_StopParser (reader->parser, XML_TRUE);
}

/* --- what the document says --- */

static const char *name_of (const char **attributes)
{
    for (; *attributes; attributes += 2) {
        if (strcmp (attributes[0], "name") == 0)
            return attributes[1];
    }
    return "";
}

static const struct xml_place *find_place (const struct xml_reader *reader,
                                           const char *tag,
                                           const char **attributes)
{
    int within = reader->places[reader->depth]->place;
    const struct xml_place *place = reader->handler->places;

    if (within == XML_ELSEWHERE)
        return &elsewhere;
    for (; place->place; place++) {
        if (place->within == within
            && (!place->tag || strcmp (place->tag, tag) == 0)
            && (!place->name
                || strcmp (place->name, name_of (attributes)) == 0))
            return place;
    }
    return &elsewhere;
}

static void XMLCALL on_start (void *arg, const XML_Char *tag,
                              const XML_Char **attributes)
{
    struct xml_reader *reader = arg;
    const struct xml_place *place;

    reader->token_bytes = 0;
    if (reader->depth == MAX_DEPTH) {
        xml_fail (reader, "elements are nested too deeply");
        return;
    }
    place = find_place (reader, tag, attributes);
    reader->places[++reader->depth] = place;
    if (place->has_text)
        strbuf_reset (&reader->text);
    if (place != &elsewhere)
        reader->handler->begin (reader->arg, place->place, tag,
                                name_of (attributes));
}

static void XMLCALL on_text (void *arg, const XML_Char *text, int len)
{
    struct xml_reader *reader = arg;
    const struct xml_place *place = reader->places[reader->depth];

    reader->token_bytes = 0;
    if (!place->has_text)
        return;
    if (reader->text.len + (size_t)len
        > (place->place == XML_NUMBERS && place->n == 0 ? INT32_MAX
                                                        : TEXT_BYTES))
        xml_fail (reader, "a text that is too long for what it should be");
    else
        strbuf_add (&reader->text, text, (size_t)len);
}

static bool is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Append the numbers of the text: how many, or SIZE_MAX where it is no list of
 * finite ones.
 */
static size_t add_numbers (const struct strbuf *text, struct numbers *numbers)
{
    const char *at = text->buf, *end = at + text->len;
    size_t n = 0;

    for (;; n++) {
        double value;

        while (at < end && is_blank (*at))
            at++;
        if (at == end)
            return n;
        at = number_read (at, end, &value);
        if (!at || (at < end && !is_blank (*at)) || !isfinite (value)
            || numbers->n == MAX_NUMBERS)
            return SIZE_MAX;
        numbers_add (numbers, &value, 1);
    }
}

static void read_numbers (struct xml_reader *reader,
                          const struct xml_place *place)
{
    void *to = (char *)reader->point + place->to;
    size_t n = add_numbers (&reader->text, to);

    if (n == SIZE_MAX || (place->n > 0 && n != place->n))
        xml_fail (reader, place->n == 1   ? "expected a finite number"
                          : place->n == 3 ? "expected three finite numbers"
                                          : "expected finite numbers");
}

static void XMLCALL on_end (void *arg, const XML_Char *tag)
{
    struct xml_reader *reader = arg;
    const struct xml_place *place;

    (void)tag;
    reader->token_bytes = 0;
    if (reader->failed)
        return;
    place = reader->places[reader->depth--];
    reader->ended = reader->depth == 0;
    if (place->place == XML_NUMBERS)
        read_numbers (reader, place);
    else if (place != &elsewhere)
        reader->handler->end (reader->arg, place->place, reader->text.buf);
}

static void XMLCALL on_doctype (void *arg, const XML_Char *name,
                                const XML_Char *system_id,
                                const XML_Char *public_id, int has_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    xml_fail (arg, "a document type is not expected here");
}

/* --- reading on --- */

struct xml_reader *xml_reader_create (struct lines *lines,
                                      const struct xml_handler *handler,
                                      void *arg, struct single_point *point)
{
    struct xml_reader *reader = xcalloc (1, sizeof (*reader));

    reader->lines = lines;
    reader->handler = handler;
    reader->arg = arg;
    reader->point = point;
    reader->failure = (struct error)ERROR_INIT;
    strbuf_init (&reader->text);
    reader->places[0] = &document;
    reader->parser = XML_ParserCreate (NULL);
    if (!reader->parser)
        alloc_failed (0);
    XML_SetUserData (reader->parser, reader);
    XML_SetElementHandler (reader->parser, on_start, on_end);
    XML_SetCharacterDataHandler (reader->parser, on_text);
    XML_SetStartDoctypeDeclHandler (reader->parser, on_doctype);
    return reader;
}

void xml_reader_destroy (struct xml_reader *reader)
{
    if (!reader)
        return;
    XML_ParserFree (reader->parser);
    strbuf_release (&reader->text);
    free (reader);
}

/* Give the parser a block: 1, 0 when the file has no more, or -1. */
static int feed (struct xml_reader *reader, enum XML_Status *status,
                 struct error *err)
{
    struct packed_file *file = &reader->lines->file;
    size_t len = (size_t)(file->stop - file->next);

    if (len == 0) {
        int rc = packed_more (file, err);

        if (rc < 0 || reader->fed)
            return rc;
        reader->fed = rc == 0;
        len = (size_t)(file->stop - file->next);
    }
    if (len > FEED_BYTES)
        len = FEED_BYTES;
    *status = XML_Parse (reader->parser, file->next, (int)len, reader->fed);
    packed_take (file, len);
    reader->token_bytes += len;
    if (reader->token_bytes > MAX_TOKEN_BYTES)
        xml_fail (reader, "a comment or tag of more than 8 MiB; no code writes "
                          "one");
    return 1;
}

int xml_read_on (struct xml_reader *reader, bool *truncated, struct error *err)
{
    XML_ParsingStatus parsing;
    enum XML_Status status = XML_STATUS_OK;
    int rc = 1;

    reader->paused = false;
    while (rc == 1 && !reader->paused && !reader->ended) {
        XML_GetParsingStatus (reader->parser, &parsing);
        if (parsing.parsing == XML_SUSPENDED)
            status = XML_ResumeParser (reader->parser);
        else
            rc = feed (reader, &status, err);
        if (rc == 1 && status == XML_STATUS_ERROR && !reader->failed) {
            if (reader->fed)
                rc = 0;
            else
                xml_fail (reader,
                          XML_ErrorString (XML_GetErrorCode (reader->parser)));
        }
        if (reader->failed)
            return error_copy (err, &reader->failure);
    }
    *truncated |= rc == 0;
    return rc < 0 ? -1 : reader->paused;
}
