/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_copy.h - the copy that an operator with `programs:` runs from
 *
 * It is made when a stage is prepared, in .fanfold/programs/<digest>: one for
 * each content, which all generations with that content run from.  It is put
 * together aside and appears whole, by one rename; its files are read-only.
 * What is edited in the campaign is part of what is prepared next.
 */
#ifndef ENGINE_PROGRAMS_COPY_H
#define ENGINE_PROGRAMS_COPY_H

struct contents;
struct engine;
struct operator_spec;
struct stage_manifest;

/* Make the copy of what the files of 'op' are now, unless it is there, and
 * append where it is, relative to the campaign.  'contents' then has its
 * digests, and which file each is a copy of.  A copy that was changed is an
 * error that names it.
 */
int programs_copy (struct engine *engine, struct contents *contents,
                   const struct operator_spec *op, struct strbuf *where,
                   struct error *err);

/* Of 'files', {PATH: SHA256} of a witness, those that run in place.  Caller
 * unrefs.
 */
struct json *programs_in_place (const struct stage_manifest *manifest,
                                const struct json *files);

#endif /* !ENGINE_PROGRAMS_COPY_H */
