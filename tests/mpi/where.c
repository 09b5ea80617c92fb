/* SPDX-License-Identifier: BSD-3-Clause */
/* where.c - an MPI program whose rank 0 writes {"hosts": [of each rank]} */
#include "base/base.h"

#include <mpi.h>
#include <unistd.h>

enum { HOST_SIZE = 64 };

static int write_hosts (const char *path, const char *hosts, int n)
{
    FILE *f = fopen (path, "w");

    if (!f)
        return -1;
    fputs ("{\"hosts\": [", f);
    for (int i = 0; i < n; i++)
        fprintf (f, "%s\"%s\"", i > 0 ? ", " : "",
                 hosts + (size_t)i * HOST_SIZE);
    fputs ("]}\n", f);
    return fclose (f);
}

int main (int argc, char **argv)
{
    char host[HOST_SIZE] = "";
    char *hosts;
    int rank, ranks;
    int rc = 0;

    MPI_Init (&argc, &argv);
    MPI_Comm_rank (MPI_COMM_WORLD, &rank);
    MPI_Comm_size (MPI_COMM_WORLD, &ranks);
    gethostname (host, sizeof (host) - 1);
    hosts = calloc ((size_t)ranks, HOST_SIZE);
    MPI_Gather (host, HOST_SIZE, MPI_CHAR, hosts, HOST_SIZE, MPI_CHAR, 0,
                MPI_COMM_WORLD);
    if (rank == 0)
        rc = argc == 2 ? write_hosts (argv[1], hosts, ranks) : -1;
    free (hosts);
    MPI_Finalize ();
    return rc == 0 ? 0 : 1;
}
