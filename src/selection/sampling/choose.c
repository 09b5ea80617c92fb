/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - from the candidates that were drawn, those to be labelled */
#include "base/base.h"

#include "selection/sampling/choose.h"
#include "selection/statistics/frame_stats.h"

enum { POOL_MORE = 16 };

/* One group's bins, and how far down each has been looked. */
struct bins {
    const struct frame_stats *stats;
    struct top_k *samples;
    const uint64_t *population;
    size_t *next;
    size_t n;
    size_t turn; /* of stratified: the bin to begin with */
    bool (*accept) (const struct sampled *frame, void *arg);
    void *arg;
};

struct chosen {
    struct sampled *frames;
    size_t n;
    size_t alloc;
};

size_t choose_pool_size (const struct frame_stats *stats, bool may_refuse)
{
    const struct rules *rules = stats->rules;
    size_t pool_size = rules_pool_size (rules, rules->quota);

    return pool_size > 0 && may_refuse ? pool_size + pool_size / 4 + POOL_MORE
                                       : pool_size;
}

/* Does bin i hold another frame that is accepted? */
static bool look (struct bins *bins, size_t i)
{
    const struct top_k *sample = &bins->samples[i];

    while (bins->next[i] < sample->n && bins->accept
           && !bins->accept (&sample->frames[bins->next[i]], bins->arg))
        bins->next[i]++;
    return bins->next[i] < sample->n;
}

/* Of a frame's key, uniform in (0, 1). */
static double uniform (const struct sampled *frame)
{
    return ((double)(frame->key >> 11) + 0.5) * 0x1p-53;
}

/* The bin whose best frame has the smallest weighted key. */
static size_t best_bin (struct bins *bins)
{
    size_t best = bins->n;
    double least = INFINITY;

    for (size_t i = 0; i < bins->n; i++) {
        double weighted;

        if (!look (bins, i))
            continue;
        weighted = -log1p (-uniform (&bins->samples[i].frames[bins->next[i]]))
                   * (double)bins->population[i];
        if (weighted < least) {
            least = weighted;
            best = i;
        }
    }
    return best;
}

static size_t next_bin (struct bins *bins)
{
    for (size_t i = 0; i < bins->n; i++) {
        size_t bin = (bins->turn + i) % bins->n;

        if (look (bins, bin)) {
            bins->turn = bin + 1;
            return bin;
        }
    }
    return bins->n;
}

/* The next frame of the group; NULL when there is none. */
static const struct sampled *take_next (struct bins *bins)
{
    bool weighted = bins->stats->rules->pick == PICK_INVERSE_POPULATION;
    size_t bin = weighted ? best_bin (bins) : next_bin (bins);

    if (bin == bins->n)
        return NULL;
    return &bins->samples[bin].frames[bins->next[bin]++];
}

/* Were candidates of a bin that is used up not held? */
static bool ran_out (const struct bins *bins)
{
    for (size_t i = 0; i < bins->n; i++) {
        if (bins->next[i] == bins->samples[i].n
            && bins->population[i] > bins->samples[i].n)
            return true;
    }
    return false;
}

static void add (struct chosen *chosen, const struct sampled *frame)
{
    chosen->frames = grow_array (chosen->frames, chosen->n, &chosen->alloc,
                                 sizeof (*chosen->frames));
    chosen->frames[chosen->n++] = *frame;
}

static bool choose_group (struct bins *bins, size_t group, bool last,
                          struct chosen *chosen)
{
    const struct rules *rules = bins->stats->rules;
    uint64_t frames[FRAME_CLASSES];
    size_t before = chosen->n, quota, wanted;
    const struct sampled *frame;

    frame_stats_group_frames (bins->stats, group, frames);
    quota = rules_quota (rules, frames);
    wanted = rules_pool_size (rules, quota); /* the quota is left in the end */
    while (chosen->n - before < wanted && (frame = take_next (bins)))
        add (chosen, frame);
    if (chosen->n - before < wanted && !last && ran_out (bins))
        return false;
    if (quota < rules->minimum || chosen->n - before < rules->minimum)
        chosen->n = before;
    return true;
}

bool choose_frames (struct frame_stats *stats,
                    bool (*accept) (const struct sampled *frame, void *arg),
                    void *arg, bool last, struct sampled **chosen_frames,
                    size_t *n)
{
    size_t n_bins = stats->rules->n_bins;
    struct chosen chosen = { 0 };
    bool enough = true;

    for (size_t group = 0; enough && group < stats->found.n_groups; group++) {
        struct bins bins = {
            .stats = stats,
            .samples = stats->found.samples + group * n_bins,
            .population = stats->found.population + group * n_bins,
            .next = xcalloc (n_bins, sizeof (*bins.next)),
            .n = n_bins,
            .accept = accept,
            .arg = arg,
        };

        for (size_t i = 0; i < n_bins; i++)
            top_k_rank (&bins.samples[i]);
        enough = choose_group (&bins, group, last, &chosen);
        free (bins.next);
    }
    if (!enough) {
        free (chosen.frames);
        return false;
    }
    sampled_sort (chosen.frames, chosen.n);
    *chosen_frames = chosen.frames;
    *n = chosen.n;
    return true;
}
