/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pbs_site.c - what PBS prints of a site, of ids, and in complaints */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strvec.h"
#include "fuzz.h"
#include "pbs/records.h"
#include "pbs/site.h"
#include "pbs/trouble.h"

static void check_site (const char *text, size_t len)
{
    struct pbs_site site = { .user = "me" };
    struct pbs_site again;
    struct json *v;

    pbs_read_server (text, len, &site, NULL);
    pbs_read_queue (text, len, &site, NULL);
    pbs_read_nodes (text, len, &site, NULL);
    must_hold (site.max_array >= 0 && site.submit >= 0,
               "limits are none or >0");
    must_hold (site.walltime_s >= 0, "a walltime");
    must_hold (site.node_cores >= 0 && site.node_gpus >= 0
                   && site.node_memory_bytes >= 0,
               "a node");
    v = pbs_site_to_json (&site);
    must_hold (pbs_site_from_json (v, &again), "what is kept can be read");
    json_unref (v);
}

static void check_ids (const char *text, size_t len)
{
    struct strvec ids = STRVEC_INIT;
    char *id = pbs_printed_id (text);
    struct pbs_id read;

    must_hold (!id || (pbs_read_id (id, &read) && read.index == -1),
               "an id is one");
    if (pbs_read_ids (text, len, &ids, NULL) == 0) {
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

    check_site ((const char *)data, size);
    check_ids (text, strlen (text));
    must_hold (pbs_read_limit (text, "me") >= 0, "a limit or none");
    must_hold (pbs_trouble (text, NULL) <= TROUBLE_BROKEN, "some trouble");
    trouble_words (text, pbs_prefixes, words, sizeof (words));
    must_hold (strlen (words) < sizeof (words), "the words fit");
    free (text);
    return 0;
}
