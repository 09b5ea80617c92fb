/* SPDX-License-Identifier: BSD-3-Clause */
/* process_identity.c - which process wrote a record */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "space/process_identity.h"

char *host_boot_id (void)
{
    struct strbuf text = STRBUF_INIT;

    if (file_read ("/proc/sys/kernel/random/boot_id", 256, &text, NULL) < 0)
        strbuf_add_str (&text, "unknown");
    text.buf[strcspn (text.buf, "\n")] = '\0';
    return strbuf_detach (&text);
}

static int64_t pid_namespace (void)
{
    struct stat st;

    return stat ("/proc/self/ns/pid", &st) == 0 ? (int64_t)st.st_ino : 0;
}

void process_identity_write (struct json *record)
{
    char host[64] = "unknown";
    _cleanup_free_ char *boot = host_boot_id ();

    gethostname (host, sizeof (host) - 1);
    json_set (record, "host", json_string (host));
    json_set (record, "boot_id", json_string (boot));
    json_set (record, "pid_namespace", json_int (pid_namespace ()));
    json_set (record, "pid", json_int (getpid ()));
    json_set (record, "start_ticks",
              json_int ((int64_t)process_start_ticks (getpid ())));
}

enum life process_identity_life (const struct json *record)
{
    _cleanup_free_ char *boot = host_boot_id ();
    enum life life = LIFE_ELSEWHERE;
    int64_t pid = json_get_int (record, "pid");
    int64_t ticks = json_get_int (record, "start_ticks");

    if (strcmp (boot, json_get_string (record, "boot_id")) == 0
        && json_get_int (record, "pid_namespace") == pid_namespace ()) {
        unsigned long long now = process_start_ticks ((pid_t)pid);

        if (now != PROCESS_HIDDEN)
            life = now != 0 && (int64_t)now == ticks ? LIFE_ALIVE : LIFE_DEAD;
    }
    return life;
}
