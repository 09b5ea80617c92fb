/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pbs_site.c - what PBS prints of a site, of ids, and in complaints */
#include "base/base.h"

#include "fuzz.h"
#include "fuzz_site.h"
#include "pbs/pbs.h"
#include "reply_text.h"

static void check_all (const char *text, size_t len)
{
    struct site_description site;

    site_init (&site, "pbs", &pbs_commands);
    site.commands_version = "pbs_version = 23.06.06";
    pbs_read_server (text, len, &site, NULL);
    pbs_read_queues (text, len, &site, NULL);
    pbs_read_nodes (text, len, &site, NULL);
    fuzz_check_site (&site);
    site_release (&site);
}

static void check_ids (const char *text, size_t len)
{
    struct strvec ids = STRVEC_INIT;
    char *id = reply_last_id (text, pbs_is_id, NULL);
    struct pbs_id read;

    must_hold (!id || pbs_read_id (id, &read), "an id is one");
    if (reply_ids ("qselect", text, len, pbs_is_id, &ids, NULL) == 0) {
        for (size_t i = 0; i < ids.n; i++)
            must_hold (pbs_read_id (ids.v[i], &read) && read.number >= 0,
                       "selected ids are ids");
    }
    strvec_release (&ids);
    free (id);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    char words[64];

    check_all ((const char *)data, size);
    check_ids (text, strlen (text));
    must_hold (pbs_read_limit (text, "me") >= 0, "a limit or none");
    complaint_find (pbs_commands.complaints, text);
    complaint_only (pbs_commands.complaints, text, 1u << COMPLAINT_UNKNOWN_JOB);
    complaint_words (text, pbs_commands.prefixes, words, sizeof (words));
    must_hold (strlen (words) < sizeof (words), "the words fit");
    free (text);
    return 0;
}
