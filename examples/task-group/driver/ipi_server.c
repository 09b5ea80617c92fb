/* SPDX-License-Identifier: BSD-3-Clause */
/* ipi_server.c - the driver's side of the protocol of i-PI */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ipi_server.h"
#include "units.h"

enum { HEADER = 12 };

/* It is bound under another name: a client that sees 'path' can connect. */
int ipi_listen (const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (snprintf (address.sun_path, sizeof address.sun_path, "%s.new", path)
        >= (int)sizeof address.sun_path)
        errx (1,
              "%s: too long for a socket; use a workspace with a shorter "
              "path",
              path);
    if (listener < 0
        || bind (listener, (struct sockaddr *)&address, sizeof address) < 0
        || listen (listener, SOMAXCONN) < 0
        || rename (address.sun_path, path) < 0)
        err (1, "%s: cannot listen", path);
    return listener;
}

void ipi_accept (int listener, int *clients, size_t n, double limit_s)
{
    struct pollfd wait = { .fd = listener, .events = POLLIN };

    for (size_t i = 0; i < n; i++) {
        if (TEMP_FAILURE_RETRY (poll (&wait, 1, (int)(limit_s * 1000))) != 1)
            errx (1, "%zu of %zu clients connected within %g s", i, n, limit_s);
        clients[i] = accept4 (listener, NULL, NULL, SOCK_CLOEXEC);
        if (clients[i] < 0)
            err (1, "accept");
    }
}

/* --- bytes --- */

static void put (int client, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t done = send (client, at, n, MSG_NOSIGNAL);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            err (1, "a client is gone");
        at += done;
        n -= (size_t)done;
    }
}

static void get (int client, void *bytes, size_t n)
{
    ssize_t done = TEMP_FAILURE_RETRY (recv (client, bytes, n, MSG_WAITALL));

    if (done < 0)
        err (1, "a client is gone");
    if ((size_t)done < n)
        errx (1, "a client closed its connection");
}

static void tell (int client, const char *word)
{
    char header[HEADER + 1];

    snprintf (header, sizeof header, "%-*s", HEADER, word);
    put (client, header, HEADER);
}

static void expect (int client, const char *word)
{
    char header[HEADER + 1] = "", wanted[HEADER + 1];

    snprintf (wanted, sizeof wanted, "%-*s", HEADER, word);
    get (client, header, HEADER);
    if (strcmp (header, wanted) != 0)
        errx (1, "a client said '%s', not '%s'", header, wanted);
}

static void put_numbers (int client, const double *v, size_t n, double factor)
{
    double *scaled = calloc (n, sizeof *scaled);

    if (!scaled)
        err (1, "memory");
    for (size_t i = 0; i < n; i++)
        scaled[i] = v[i] * factor;
    put (client, scaled, n * sizeof *scaled);
    free (scaled);
}

/* --- messages --- */

void ipi_send (int client, const double *positions_A, size_t n_atoms,
               const double box_A[3])
{
    double cell[9] = { 0 }, inverse[9] = { 0 };
    int32_t n = (int32_t)n_atoms;

    for (int i = 0; i < 3; i++) {
        cell[4 * i] = box_A[i];
        inverse[4 * i] = 1 / box_A[i];
    }
    tell (client, "STATUS");
    expect (client, "READY");
    tell (client, "POSDATA");
    put_numbers (client, cell, 9, 1 / BOHR_A);
    put_numbers (client, inverse, 9, BOHR_A);
    put (client, &n, sizeof n);
    put_numbers (client, positions_A, 3 * n_atoms, 1 / BOHR_A);
}

double ipi_receive (int client, double *forces_eV_per_A, size_t n_atoms)
{
    const double to_eV_per_A = 1 / (HARTREE_PER_EV * BOHR_A);
    double energy, virial[9];
    int32_t n, more;
    char byte;

    tell (client, "STATUS");
    expect (client, "HAVEDATA");
    tell (client, "GETFORCE");
    expect (client, "FORCEREADY");
    get (client, &energy, sizeof energy);
    get (client, &n, sizeof n);
    if (n < 0 || (size_t)n != n_atoms)
        errx (1, "a client has %d atoms, not %zu", (int)n, n_atoms);
    get (client, forces_eV_per_A, 3 * n_atoms * sizeof *forces_eV_per_A);
    for (size_t i = 0; i < 3 * n_atoms; i++)
        forces_eV_per_A[i] *= to_eV_per_A;
    get (client, virial, sizeof virial);
    get (client, &more, sizeof more);
    for (int32_t i = 0; i < more; i++) /* text of the client's own */
        get (client, &byte, 1);
    return energy / HARTREE_PER_EV;
}

void ipi_close (int client)
{
    char byte;

    if (TEMP_FAILURE_RETRY (recv (client, &byte, 1, 0)) > 0)
        errx (1, "a client goes on although it was asked for nothing more");
    close (client);
}
