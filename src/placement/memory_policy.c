/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_policy.c - from which NUMA nodes a process really has its memory */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "placement/memory_policy.h"

/* As the kernel names them (mpol_to_str); of two words, one of which is the
 * beginning of the other, the longer one comes first.
 */
static const struct {
    const char *word;
    enum memory_mode mode;
} modes[] = {
    { "default", MEMORY_ANY },
    { "local", MEMORY_ANY },
    { "prefer (many)", MEMORY_PREFERRED },
    { "prefer", MEMORY_PREFERRED },
    { "bind", MEMORY_STRICT },
    { "interleave", MEMORY_INTERLEAVED },
    { "weighted interleave", MEMORY_INTERLEAVED },
};

const char *memory_mode_name (enum memory_mode mode)
{
    switch (mode) {
    case MEMORY_UNKNOWN:
    case MEMORY_ANY:
        return "";
    case MEMORY_PREFERRED:
        return "preferred";
    case MEMORY_STRICT:
        return "strict";
    case MEMORY_INTERLEAVED:
        return "interleaved";
    }
    return "";
}

/* "ADDRESS MODE[=FLAGS][:NODES] ..." */
struct memory_policy memory_policy_parse (const char *numa_maps)
{
    struct memory_policy policy = { .mode = MEMORY_UNKNOWN };
    const char *text = numa_maps + strcspn (numa_maps, " \n");

    text += *text == ' ';
    for (size_t i = 0; i < ARRAY_SIZE (modes); i++) {
        size_t len = strlen (modes[i].word);

        if (strncmp (text, modes[i].word, len) != 0
            || !strchr ("=: \n", text[len]))
            continue;
        policy.mode = modes[i].mode;
        text += len + strcspn (text + len, ": \n");
        if (*text == ':')
            snprintf (policy.nodes, sizeof (policy.nodes), "%.*s",
                      (int)strcspn (text + 1, " \n"), text + 1);
        break;
    }
    return policy;
}

struct memory_policy memory_policy_of_process (pid_t pid)
{
    char path[64], text[512];
    ssize_t n = -1;
    int fd;

    snprintf (path, sizeof (path), "/proc/%d/numa_maps", (int)pid);
    fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read (fd, text, sizeof (text) - 1);
        close (fd);
    }
    text[n > 0 ? n : 0] = '\0';
    return memory_policy_parse (text);
}
