/* SPDX-License-Identifier: BSD-3-Clause */
/* port.h - a TCP port for the programs of a group, and for no other group
 *
 * Programs of one group meet at {port} of the first node.  A port that is only
 * looked up is free until the next one looks; so what stands for it on this
 * host is a name of an abstract socket, which has one owner and goes with him.
 */
#ifndef GROUP_PORT_H
#define GROUP_PORT_H

#include <netinet/in.h>

/* Where the programs of a group can meet: on the first node. */
struct meeting_point {
    char address[INET6_ADDRSTRLEN]; /* as other nodes reach it */
    int port;
};

/* Ports below those that the kernel hands out by itself. */
enum { PORT_FIRST = 20000, PORT_COUNT = 10000 };

/* A port on which no program listens here, for as long as *fd is open and not
 * handed on.  -1 with 'err' when there is none.
 */
int port_take (int *fd, struct error *err);

/* Does no program listen there, on any address? */
bool port_is_free (int port);

#endif /* !GROUP_PORT_H */
