/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu_list.c - sets of CPUs as the kernel writes them */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "placement/cpu_list.h"

/* No kernel knows more; sched_getaffinity wants room for all it has. */
enum { CPUS_MAX = 1 << 16 };

void cpu_list_format (const cpu_set_t *set, size_t bytes, struct strbuf *out)
{
    bool any = false;

    for (size_t cpu = 0; cpu < 8 * bytes; cpu++) {
        size_t last = cpu;

        if (!CPU_ISSET_S (cpu, bytes, set))
            continue;
        while (last + 1 < 8 * bytes && CPU_ISSET_S (last + 1, bytes, set))
            last++;
        strbuf_addf (out, "%s%zu", any ? "," : "", cpu);
        if (last > cpu)
            strbuf_addf (out, "-%zu", last);
        any = true;
        cpu = last;
    }
}

int cpu_list_of_process (pid_t pid, struct strbuf *out)
{
    for (size_t cpus = 1024; cpus <= CPUS_MAX; cpus *= 2) {
        size_t bytes = CPU_ALLOC_SIZE (cpus);
        cpu_set_t *set = xcalloc (1, bytes);
        int rc = sched_getaffinity (pid, bytes, set);

        if (rc == 0)
            cpu_list_format (set, bytes, out);
        free (set);
        if (rc == 0)
            return 0;
        if (errno != EINVAL)
            return -1;
    }
    return -1;
}
