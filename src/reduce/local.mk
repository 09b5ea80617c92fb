# fanfold-reduce - the MPI program; the only user of mpi.h
