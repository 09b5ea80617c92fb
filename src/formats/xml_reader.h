/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_reader.h - what stands at known places of an XML document
 *
 * The document is read in blocks, and only what the table of places names is
 * looked at: memory does not grow with the rest.  Document types are refused:
 * no code writes one, and entities are how XML is made to explode.
 */
#ifndef FORMATS_XML_READER_H
#define FORMATS_XML_READER_H

#include "formats/single_point.h"

struct xml_reader;

/* Where an element is; a format's own places follow.  XML_NUMBERS: its text is
 * numbers, which are read here.
 */
enum { XML_ELSEWHERE, XML_DOCUMENT, XML_NUMBERS, XML_PLACES };

struct xml_place {
    int within;
    const char *tag;  /* NULL: any */
    const char *name; /* what its attribute "name" says; NULL: whatever */
    int place;        /* 0 ends a table */
    bool has_text;    /* its text is read */
    size_t n;         /* so many finite numbers; 0: any number of them, */
    size_t to;        /* which are appended to what the point has there */
};

#define XML_PLACE(WITHIN, TAG, NAME, PLACE)                                    \
    {                                                                          \
        .within = (WITHIN), .tag = (TAG), .name = (NAME), .place = (PLACE)     \
    }
#define XML_TEXT(WITHIN, TAG, NAME, PLACE)                                     \
    {                                                                          \
        .within = (WITHIN), .tag = (TAG), .name = (NAME), .place = (PLACE),    \
        .has_text = true                                                       \
    }
#define XML_N_NUMBERS(WITHIN, TAG, NAME, N, TO)                                \
    {                                                                          \
        .within = (WITHIN), .tag = (TAG), .name = (NAME),                      \
        .place = XML_NUMBERS, .has_text = true, .n = (N),                      \
        .to = offsetof (struct single_point, TO)                               \
    }

struct xml_handler {
    const struct xml_place *places;
    /* 'name' is what the attribute says; "": there is none. */
    void (*begin) (void *arg, int place, const char *tag, const char *name);
    void (*end) (void *arg, int place, const char *text);
};

/* Read the file, or text, of 'lines', which is at its start; numbers go to
 * 'point'.  All are lent.
 */
struct xml_reader *xml_reader_create (struct lines *lines,
                                      const struct xml_handler *handler,
                                      void *arg, struct single_point *point);
void xml_reader_destroy (struct xml_reader *reader);

/* Read on until a handler pauses: 1; 0 when the document has ended, or
 * *truncated, the file before it; -1.
 */
int xml_read_on (struct xml_reader *reader, bool *truncated, struct error *err);

/* For handlers: stop with an error that names the line (only the first counts),
 * or for now.
 */
void xml_fail (struct xml_reader *reader, const char *what);
void xml_pause (struct xml_reader *reader);

#endif /* !FORMATS_XML_READER_H */
