/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.h - campaign.yaml + site.yaml + operator table -> plan
 *
 * Reads the two files (and looks whether the paths they name exist), starts
 * and writes nothing.  Every problem is recorded with position and remedy,
 * not only the first.
 */
#ifndef CAMPAIGN_COMPILE_H
#define CAMPAIGN_COMPILE_H

struct operator_spec;
struct plan;
struct problems;

struct heartbeat;

struct compile_options {
    const char *dir; /* campaign directory */
    /* NULL: DIR/site.yaml, then $XDG_CONFIG_HOME/fanfold/site.yaml (or that of
     * ~/.config), then $FANFOLD_SITE, then built-in: one profile `local`.
     */
    const char *site_file;
    const struct operator_spec *const *builtin; /* NULL-terminated */
    const char *const *schedulers; /* known adapter names, NULL-terminated */
    bool this_host; /* its cores and programs are those that local profiles have
                     */
    const char *program; /* with this_host: what {fanfold} stands for; NULL: is
                            not looked for */
    bool notices;  /* with this_host: the programs of `notify:` are looked for:
                      who drives elsewhere may lack them */
    int64_t atoms; /* so many are looked at in each file of frames, to the end
                      of the frame; 0: none */
    const struct heartbeat *heartbeat; /* told while frames are read, or NULL */
    bool site_alone; /* the profiles alone: there need be no campaign */

    /* The config.json of an earlier plan (struct plan's `config`), compiled
     * again in place of the two files: what it says of files was looked at when
     * it was taken on, and is not looked at now.  NULL: none.
     */
    struct json *recorded;
};

/* NULL when there is any problem that is no warning.  'problems' is sorted
 * afterwards.
 */
struct plan *campaign_compile (const struct compile_options *options,
                               struct problems *problems);

#endif /* !CAMPAIGN_COMPILE_H */
