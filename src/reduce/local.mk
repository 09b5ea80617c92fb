# fanfold-reduce - the MPI program; the only user of mpi.h
#
# Inside "if HAVE_MPI": bin_PROGRAMS += fanfold-reduce, its sources, its
# CPPFLAGS (AM_CPPFLAGS and MPI_CFLAGS), and as LDADD the libraries selection,
# signature, space, formats and base, outside_libs and MPI_LIBS.
