/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - a connection between two processes of one group
 *
 * What goes over it are JSON objects, one a line.  A peer whose node is gone is
 * noticed within half a minute.
 */
#ifndef GROUP_WIRE_H
#define GROUP_WIRE_H

#include <netinet/in.h>

#include "group/watch.h"

struct wire {
    struct watch watch; /* fd -1: it is closed */
    int epoll_fd;
    struct strbuf begun; /* a line without end */
    /* A message came, which is lent; or NULL: the connection is lost. */
    void (*told) (void *arg, const struct json *message);
    void *arg;
};

/* Take over the socket 'fd'. */
int wire_init (struct wire *wire, int epoll_fd, int fd,
               void (*told) (void *arg, const struct json *message), void *arg,
               struct error *err);
void wire_release (struct wire *wire);

/* Send an object, which is taken over.  Where that fails the connection is
 * closed, and told so when it is next waited for.
 */
void wire_send (struct wire *wire, struct json *message);

/* This host's address in the connection, as text: where the peer reached it, or
 * is reached from.  'out' stays where there is no connection.
 */
void wire_own_address (const struct wire *wire, char out[INET6_ADDRSTRLEN]);

/* A socket that listens for connections from anywhere, and its port. */
int wire_listen (int *port, struct error *err);

/* Where this host can be reached: its name and its addresses, as a list. */
struct json *wire_addresses (void);

/* Connect to the first of 'addresses' that answers within seconds; a socket, or
 * -1 with 'err'.
 */
int wire_connect (const struct json *addresses, int port, struct error *err);

#endif /* !GROUP_WIRE_H */
