/* SPDX-License-Identifier: BSD-3-Clause */
/* params.h - the parameters of a group: those of its programs together */
#ifndef GROUP_PARAMS_H
#define GROUP_PARAMS_H

struct group_spec;

enum params_joined {
    PARAMS_OK,
    PARAMS_BAD,    /* 'err': two wrote the same, or one no object */
    PARAMS_FAILED, /* a file cannot be read or written */
};

/* Join what the parts of 'group' wrote in the working directory into
 * params.json there; it stays as it is, or absent, where none of them did.
 */
enum params_joined params_join (const struct group_spec *group,
                                struct error *err);

#endif /* !GROUP_PARAMS_H */
