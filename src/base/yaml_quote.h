/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_quote.h - a line of YAML with the quotes it lacks
 *
 * Text with {placeholders} and text that begins with one of *, @, % and ` is
 * taken for something else by YAML: "pair_coeff: * * {elements}".
 */
#ifndef BASE_YAML_QUOTE_H
#define BASE_YAML_QUOTE_H

/* Append the line [line, line + len), without its indentation, with quotes
 * around such text.  'flow': it begins inside [...] or {...}.  False, and
 * nothing appended, when there is no such text.
 */
bool yaml_quote_line (const char *line, size_t len, bool flow,
                      struct strbuf *out);

#endif /* !BASE_YAML_QUOTE_H */
