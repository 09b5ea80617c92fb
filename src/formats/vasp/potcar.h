/* SPDX-License-Identifier: BSD-3-Clause */
/* potcar.h - VASP's potentials: POTCAR
 *
 * VASP knows a kind of atom by its potential: "PAW_PBE Sn_d 06Sep2000" is the
 * title of one for tin.  A directory of potentials as they are installed has
 * DIR/NAME/POTCAR; DIR/NAME may be the file itself, too.
 */
#ifndef FORMATS_POTCAR_H
#define FORMATS_POTCAR_H

#include "formats/frame.h"

/* The element in a potential's name: "Sn" of "Sn_d", "H" of "H1.25", "Si" of
 * "Si_GW/8a1f".  -1, and nothing done, when it begins with none.
 */
int potcar_element (char symbol[SYMBOL_SIZE], const char *name, size_t len);

/* The element of a title, whose second word is the name.  -1 as above. */
int potcar_title_element (char symbol[SYMBOL_SIZE], const char *title,
                          size_t len);

/* Where 'name' of 'dir' is; a relative 'dir' is seen from 'from'.  Caller
 * frees.
 */
char *potcar_path (const char *from, const char *dir, const char *name);

/* What the text has behind "KEY =" ("ENMAX", "LEXCH"): up to the end of the
 * line or a semicolon, appended to 'value'.  False: it has none.
 */
bool potcar_setting (const char *text, size_t len, const char *key,
                     struct strbuf *value);

/* Append the file, which must hold one potential, of that element. */
int potcar_append (const char *path, const char *element, struct strbuf *out,
                   struct error *err);

#endif /* !FORMATS_POTCAR_H */
