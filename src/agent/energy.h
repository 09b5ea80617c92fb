/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.h - the energy that the processors of a node have taken
 *
 * The kernel counts it for each package and its memory (powercap,
 * "intel-rapl:0" and so on, AMD's too); often only root may read that. Counters
 * begin again at zero, under full load after some minutes: who wants a sum has
 * to look now and then.
 */
#ifndef AGENT_ENERGY_H
#define AGENT_ENERGY_H

#define ENERGY_DIR "/sys/class/powercap"

/* How often to look; no package takes a whole range in that time. */
enum { ENERGY_LOOK_S = 60 };

struct energy_counter;

struct energy_meter {
    struct energy_counter *v;
    size_t n;         /* 0: nothing is known */
    double joules;    /* since it was opened, up to the last look */
    double look_at_s; /* clock_mono_s: the next look is due */
};

/* Find the counters below 'dir' that can be read. */
void energy_meter_open (struct energy_meter *meter, const char *dir);
void energy_meter_release (struct energy_meter *meter);

/* Add what was taken since the last look; returns the sum. */
double energy_meter_look (struct energy_meter *meter);

#endif /* !AGENT_ENERGY_H */
