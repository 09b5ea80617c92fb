# FF_WITH_MPI - look for Open MPI, then MPICH, through pkg-config
#
# Sets MPI_CFLAGS, MPI_LIBS, the shell variable have_mpi and the conditional
# HAVE_MPI.  Only fanfold-reduce uses them.  Without MPI it is not built; that
# is an error when --with-mpi was given.  --with-mpi=NAME asks for the
# pkg-config module NAME and no other.
AC_DEFUN([FF_WITH_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi@<:@=MODULE@:>@],
                    [build fanfold-reduce, with ompi-c or mpich])
AS_HELP_STRING([--without-mpi], [do not build fanfold-reduce])],
    [], [with_mpi=check])
  have_mpi=no
  AS_CASE([$with_mpi],
    [no], [],
    [yes|check],
    [PKG_CHECK_MODULES([MPI], [ompi-c], [have_mpi=ompi-c],
      [PKG_CHECK_MODULES([MPI], [mpich], [have_mpi=mpich], [:])])],
    [PKG_CHECK_MODULES([MPI], [$with_mpi], [have_mpi=$with_mpi], [:])])
  AS_CASE([$with_mpi,$have_mpi],
    [check,no|no,no], [],
    [*,no], [AC_MSG_ERROR([pkg-config does not find MPI (--with-mpi=$with_mpi)])])
  AM_CONDITIONAL([HAVE_MPI], [test "$have_mpi" != no])
])
