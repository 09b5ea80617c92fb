/* SPDX-License-Identifier: BSD-3-Clause */
/* label_texts.h - templates of codes that label, of what DP-GEN has as keys and
 * values
 *
 * Keys that begin with _ are comments.  Each function appends the text.
 */
#ifndef IMPORT_LABEL_TEXTS_H
#define IMPORT_LABEL_TEXTS_H

struct key_report;

/* INCAR of {TAG: value}. */
void incar_text (const struct json *tags, struct strbuf *out);

/* INCAR of fp_params {ecut, ediff, npar, kpar, kspacing, smearing, sigma,
 * metagga, user_vasp_params}.  -1 with 'err' for a value that has no meaning.
 */
int incar_text_of_settings (const struct json *settings, struct strbuf *out,
                            struct error *err);

/* Input of pw.x of user_fp_params {control: {}, system: {}, electrons: {}},
 * without what qe.label completes.  What is left out is told as
 * "PREFIXcontrol.outdir".
 */
int pw_text (const struct json *namelists, const char *prefix,
             struct key_report *report, struct strbuf *out, struct error *err);

/* The same of fp_params {ecut, ediff, smearing, sigma}. */
int pw_text_of_settings (const struct json *settings, struct strbuf *out,
                         struct error *err);

/* Input of CP2K of user_fp_params, over the input that DP-GEN begins with; no
 * &CELL and &COORD, which cp2k.label writes.
 */
int cp2k_text (const struct json *sections, struct strbuf *out,
               struct error *err);

/* An input of CP2K as it is but for what cp2k.label writes: the cell, the
 * coordinates, and what is printed.
 */
void cp2k_text_of_template (const char *text, struct strbuf *out);

/* INPUT of ABACUS of {key: value}, without what abacus.label completes and
 * without DeePKS, which is told as "PREFIXdeepks_model".
 */
int abacus_text (const struct json *keys, const char *prefix,
                 struct key_report *report, struct strbuf *out,
                 struct error *err);

/* An INPUT of ABACUS without the same, and with its first line. */
void abacus_text_of_template (const char *text, struct strbuf *out);

/* KPT of ABACUS of six numbers. */
int kpt_text (const struct json *numbers, struct strbuf *out,
              struct error *err);

#endif /* !IMPORT_LABEL_TEXTS_H */
