# FF_WITH_MPI - look for Open MPI, then MPICH, through pkg-config
#
# Sets MPI_CFLAGS, MPI_LIBS, the shell variable have_mpi and the conditional
# HAVE_MPI.  Only fanfold-reduce uses them.  Without MPI it is not built; that
# is an error when --with-mpi was given.
AC_DEFUN([FF_WITH_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--without-mpi], [do not build fanfold-reduce])],
    [], [with_mpi=check])
  AS_IF([test "$with_mpi" = no],
    [have_mpi=no],
    [PKG_CHECK_MODULES([MPI], [ompi-c], [have_mpi=yes],
      [PKG_CHECK_MODULES([MPI], [mpich], [have_mpi=yes], [have_mpi=no])])])
  AS_IF([test "$with_mpi,$have_mpi" = yes,no],
    [AC_MSG_ERROR([pkg-config finds neither ompi-c nor mpich for --with-mpi])])
  AM_CONDITIONAL([HAVE_MPI], [test "$have_mpi" = yes])
])
