/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.c - the energy that the processors of a node have taken */
#include "base/base.h"

#include "agent/energy.h"
#include "base/clock.h"
#include "base/file.h"

struct energy_counter {
    char *path;         /* of energy_uj */
    uint64_t range_uj;  /* where it begins again */
    uint64_t before_uj; /* at the last look */
};

static int read_number (const char *path, uint64_t *number)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char *end;
    int rc = file_read (path, 64, &text, NULL);

    if (rc == 0) {
        *number = strtoull (text.buf, &end, 10);
        rc = end == text.buf ? -1 : 0;
    }
    return rc;
}

static bool begins (const char *text, const char *with)
{
    return strncmp (text, with, strlen (with)) == 0;
}

/* Packages ("intel-rapl:0") and their memory ("intel-rapl:0:1", "dram"), which
 * is not in the packages' numbers as other parts are.  What is called
 * "intel-rapl-mmio:0" is the same again, "psys" all of a board.
 */
static bool counts (const char *dir, const char *counter)
{
    _cleanup_free_ char *path = xasprintf ("%s/%s/name", dir, counter);
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    return begins (counter, "intel-rapl:")
           && file_read (path, 64, &name, NULL) == 0
           && (begins (name.buf, "package") || begins (name.buf, "dram"));
}

static void add_counter (struct energy_meter *meter, const char *dir,
                         const char *name)
{
    struct energy_counter counter = {
        .path = xasprintf ("%s/%s/energy_uj", dir, name),
    };
    _cleanup_free_ char *range =
        xasprintf ("%s/%s/max_energy_range_uj", dir, name);

    if (read_number (range, &counter.range_uj) == 0
        && read_number (counter.path, &counter.before_uj) == 0) {
        meter->v = xreallocarray (meter->v, meter->n + 1, sizeof (*meter->v));
        meter->v[meter->n++] = counter;
    } else {
        free (counter.path);
    }
}

void energy_meter_open (struct energy_meter *meter, const char *dir)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    *meter = (struct energy_meter){ 0 };
    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        if (counts (dir, names.v[i]))
            add_counter (meter, dir, names.v[i]);
    }
}

void energy_meter_release (struct energy_meter *meter)
{
    for (size_t i = 0; i < meter->n; i++)
        free (meter->v[i].path);
    free (meter->v);
    *meter = (struct energy_meter){ 0 };
}

double energy_meter_look (struct energy_meter *meter)
{
    for (size_t i = 0; i < meter->n; i++) {
        struct energy_counter *counter = &meter->v[i];
        uint64_t now_uj;

        if (read_number (counter->path, &now_uj) < 0)
            continue;
        meter->joules +=
            1e-6
            * (double)(now_uj >= counter->before_uj
                           ? now_uj - counter->before_uj
                           : now_uj + counter->range_uj - counter->before_uj);
        counter->before_uj = now_uj;
    }
    meter->look_at_s = clock_mono_s () + ENERGY_LOOK_S;
    return meter->joules;
}
