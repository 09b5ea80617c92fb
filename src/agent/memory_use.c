/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_use.c - how much memory processes use */
#include "base/base.h"

#include <unistd.h>

#include "agent/memory_use.h"
#include "base/file.h"

/* smaps has 25 lines for each mapping. */
static const size_t smaps_bytes_max = (size_t)64 << 20;

/* A peak is known this well: to 1/16. */
enum { PEAK_PARTS = 16 };

/* "/proc/PID/NAME" into 'text'; -1 when the process has ended. */
static int read_of_process (const char *pid, const char *name,
                            struct strbuf *text)
{
    _cleanup_free_ char *path = xasprintf ("/proc/%s/%s", pid, name);

    return file_read (path, smaps_bytes_max, text, NULL);
}

/* The second number of statm: pages. */
static int64_t resident_bytes (const char *pid)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *second = NULL;
    int64_t pages;

    if (read_of_process (pid, "statm", &text) == 0)
        second = strchr (text.buf, ' ');
    pages = second ? strtoll (second, NULL, 10) : 0;
    return pages * sysconf (_SC_PAGESIZE);
}

/* The sum of the lines "KEY   123 kB"; *any: was there one? */
static int64_t sum_of (const char *text, const char *key, bool *any)
{
    size_t len = strlen (key);
    int64_t kib = 0;

    for (const char *line = text; line && *line;) {
        if (strncmp (line, key, len) == 0) {
            kib += strtoll (line + len, NULL, 10);
            *any = true;
        }
        line = strchr (line, '\n');
        line = line ? line + 1 : NULL;
    }
    return kib * 1024;
}

int64_t smaps_bytes (const char *text)
{
    bool any = false;
    int64_t bytes =
        sum_of (text, "Pss_Anon:", &any) + sum_of (text, "Pss_Shmem:", &any);

    return any ? bytes : sum_of (text, "Pss:", &any);
}

/* Where the kernel does not tell, what is resident. */
static int64_t used_bytes (const char *pid)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int64_t bytes;

    if (read_of_process (pid, "smaps_rollup", &text) == 0
        || read_of_process (pid, "smaps", &text) == 0)
        bytes = smaps_bytes (text.buf);
    else
        bytes = resident_bytes (pid);
    return bytes;
}

static int64_t sum_over (const struct strvec *pids,
                         int64_t (*bytes_of) (const char *pid))
{
    int64_t bytes = 0;

    for (size_t i = 0; i < pids->n; i++)
        bytes += bytes_of (pids->v[i]);
    return bytes;
}

void memory_use_count (struct memory_use *use, const struct strvec *pids,
                       int64_t limit_bytes)
{
    int64_t resident = sum_over (pids, resident_bytes);
    int64_t known = use->peak_bytes + use->peak_bytes / PEAK_PARTS;

    if (resident <= known && (limit_bytes <= 0 || resident <= limit_bytes))
        return;
    use->bytes = sum_over (pids, used_bytes);
    if (use->bytes > use->peak_bytes)
        use->peak_bytes = use->bytes;
}
