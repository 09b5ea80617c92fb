/* SPDX-License-Identifier: BSD-3-Clause */
/* port.c - a TCP port for the programs of a group, and for no other group */
#include "base/base.h"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "group/port.h"

/* The name that stands for a port; -1 when it has an owner. */
static int own_name (int port)
{
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int length = snprintf (name.sun_path + 1, sizeof (name.sun_path) - 1,
                           "fanfold-port-%d", port);

    if (fd >= 0
        && bind (fd, (struct sockaddr *)&name,
                 (socklen_t)(offsetof (struct sockaddr_un, sun_path) + 1
                             + (size_t)length))
               == 0)
        return fd;
    file_close (fd);
    return -1;
}

bool port_is_free (int port)
{
    struct sockaddr_in all = { .sin_family = AF_INET,
                               .sin_port = htons ((uint16_t)port) };
    _cleanup_fd_ int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1, rc = -1;

    /* What closed a moment ago does not count. */
    if (fd >= 0
        && setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof (on)) == 0)
        rc = bind (fd, (struct sockaddr *)&all, sizeof (all));
    return rc == 0;
}

int port_take (int *fd, struct error *err)
{
    uint32_t from = 0;

    if (getrandom (&from, sizeof (from), 0) < 0)
        return error_errno (err, "no random number for a port");
    errno = 0;
    for (uint32_t i = 0; i < PORT_COUNT; i++) {
        int port = PORT_FIRST + (int)((from % PORT_COUNT + i) % PORT_COUNT);
        int owned = own_name (port);

        if (owned < 0)
            continue;
        if (port_is_free (port)) {
            *fd = owned;
            return port;
        }
        file_close (owned);
    }
    return error_errno (err, "no TCP port from %d to %d is free", PORT_FIRST,
                        PORT_FIRST + PORT_COUNT - 1);
}
