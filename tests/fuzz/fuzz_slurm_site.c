/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_slurm_site.c - what scontrol, sacctmgr and failing commands print */
#include "base/base.h"

#include "fuzz.h"
#include "fuzz_site.h"
#include "slurm/slurm.h"

static void check_all (const char *text, size_t len)
{
    const struct scheduler scheduler = { .account = "a", .queue = "p" };
    struct site_description site;

    site_init (&site, "slurm", &slurm_commands);
    site.commands_version = text;
    slurm_read_config (text, len, &site, NULL);
    slurm_read_partitions (text, len, &site, NULL);
    slurm_read_nodes (text, len, &site, NULL);
    slurm_add_accounts (text, &site);
    site.submit = slurm_submit_limit (text, text, &scheduler, "q");
    fuzz_check_site (&site);
    site_release (&site);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    char words[64];
    double left_s;

    check_all (text, strlen (text));
    must_hold (slurm_read_minutes (text) >= -1, "a time or none");
    must_hold (slurm_read_time_left (text, strlen (text), &left_s, NULL) < 0
                   || left_s >= 0,
               "a time or none");
    complaint_find (slurm_complaints, text);
    complaint_words (text, slurm_commands.prefixes, words, sizeof (words));
    must_hold (strlen (words) < sizeof (words), "the words fit");
    free (text);
    return 0;
}
