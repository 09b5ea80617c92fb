/* SPDX-License-Identifier: BSD-3-Clause */
/* device_watch.c - devices of an element that are to have no more tasks */
#include "base/base.h"

#include "agent/claim.h"
#include "agent/device_watch.h"
#include "base/json.h"

void device_watch_release (struct device_watch *watch)
{
    device_runs_release (&watch->runs);
    strvec_release (&watch->devices);
    strvec_release (&watch->retired);
    strvec_release (&watch->resting);
}

void device_watch_add (struct device_watch *watch, const char *devices)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    strvec_split (&words, devices, " ");
    for (size_t i = 0; i < words.n; i++) {
        if (!strvec_contains (&watch->devices, words.v[i]))
            strvec_push (&watch->devices, words.v[i]);
    }
}

void device_watch_note (struct device_watch *watch, const char *devices,
                        int task, enum outcome outcome, double wall_s)
{
    size_t forgotten;

    if (!*devices)
        return;
    forgotten = device_runs_add (&watch->runs, devices, task, outcome, wall_s);
    watch->from -= watch->from > 0 ? forgotten : 0;
    watch->judged -= watch->judged > 0 ? forgotten : 0;
}

static int hand_back (const struct device_watch *watch, const char *device,
                      const size_t *which, int n, struct claim *claim,
                      struct error *err)
{
    struct error why = ERROR_INIT;

    error_set (&why, "GPU %s fails tasks that other devices do not fail",
               device);
    for (int i = n; i-- > 0;) {
        if (claim_log_handed_back (claim, watch->runs.v[which[i]].task, &why,
                                   err)
            < 0)
            return -1;
    }
    return 0;
}

/* Of a device that is retired the last run is looked at, when it is new. */
static int judge (struct device_watch *watch, const char *device,
                  struct claim *claim, struct error *err)
{
    bool retired = strvec_contains (&watch->retired, device);
    size_t which[SICK_AFTER];
    int n = device_failures (&watch->runs, retired ? watch->judged : 0, device,
                             which);

    if (retired)
        return hand_back (watch, device, which, n, claim, err);
    if (n < SICK_AFTER || !device_has_witness (&watch->runs, device))
        return 0;
    strvec_push (&watch->retired, device);
    if (claim_log_retired (claim, device, n, err) < 0)
        return -1;
    return hand_back (watch, device, which, n, claim, err);
}

/* A device that is alone never rests: nothing would be known by that. */
static void find_resting (struct device_watch *watch)
{
    strvec_release (&watch->resting);
    for (size_t i = 0; watch->devices.n > 1 && i < watch->devices.n; i++) {
        const char *device = watch->devices.v[i];

        if (strvec_contains (&watch->retired, device)
            || device_failures (&watch->runs, watch->from, device, NULL)
                   == SICK_AFTER)
            strvec_push (&watch->resting, device);
    }
}

int device_watch_judge (struct device_watch *watch, struct claim *claim,
                        struct error *err)
{
    if (watch->judged == watch->runs.n)
        return 0;
    for (size_t i = 0; i < watch->devices.n; i++) {
        if (judge (watch, watch->devices.v[i], claim, err) < 0)
            return -1;
    }
    watch->judged = watch->runs.n;
    find_resting (watch);
    return 0;
}

bool device_watch_rests (const struct device_watch *watch, const char *devices)
{
    for (size_t i = 0; i < watch->resting.n; i++) {
        if (device_is_in (devices, watch->resting.v[i]))
            return true;
    }
    return false;
}

void device_watch_remember (struct device_watch *watch, const char *host,
                            const struct json *retired)
{
    for (size_t i = 0; i < json_count (retired); i++) {
        const struct json *v = json_at (retired, i);
        const char *device = json_get_string (v, "device");

        if (strcmp (json_get_string (v, "host"), host) == 0
            && strvec_contains (&watch->devices, device)
            && device[strspn (device, "0123456789")] != '\0'
            && watch->retired.n + 1 < watch->devices.n)
            strvec_push (&watch->retired, device);
    }
    find_resting (watch);
}

void device_watch_wake (struct device_watch *watch)
{
    watch->from = watch->runs.n;
    find_resting (watch);
}
