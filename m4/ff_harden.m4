# FF_HARDEN - what the compiler and the linker add against overflows
#
# Sets HARDENING_CPPFLAGS, HARDENING_CFLAGS and HARDENING_LDFLAGS to those of the
# flags below that work here.  _FORTIFY_SOURCE needs an optimizing compiler, does not
# go with the sanitizers, and is left alone where CPPFLAGS, CFLAGS or the compiler
# have one.  --disable-hardening: none.
AC_DEFUN([FF_HARDEN_COMPILER], [
  AC_CACHE_CHECK([whether $CC takes $1], [AS_TR_SH([ff_cv_harden$1])], [
    ff_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AS_TR_SH([ff_cv_harden$1])=yes],
      [AS_TR_SH([ff_cv_harden$1])=no])
    CFLAGS=$ff_save_CFLAGS])
  AS_IF([test "$AS_TR_SH([ff_cv_harden$1])" = yes],
    [HARDENING_CFLAGS="$HARDENING_CFLAGS $1"])
])
AC_DEFUN([FF_HARDEN_LINKER], [
  AC_CACHE_CHECK([whether the linker takes $1], [AS_TR_SH([ff_cv_link$1])], [
    ff_save_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS $HARDENING_CFLAGS $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AS_TR_SH([ff_cv_link$1])=yes],
      [AS_TR_SH([ff_cv_link$1])=no])
    LDFLAGS=$ff_save_LDFLAGS])
  AS_IF([test "$AS_TR_SH([ff_cv_link$1])" = yes],
    [HARDENING_LDFLAGS="$HARDENING_LDFLAGS $1"])
])
AC_DEFUN([FF_FORTIFY], [
  AC_CACHE_CHECK([for _FORTIFY_SOURCE], [ff_cv_fortify], [
    ff_cv_fortify=no
    for level in 3 2; do
      AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || defined _FORTIFY_SOURCE
# error "not here"
#endif
#define _FORTIFY_SOURCE $level
#include <features.h>
#if __USE_FORTIFY_LEVEL != $level
# error "not this one"
#endif]])], [ff_cv_fortify=$level; break])
    done])
  AS_IF([test "$ff_cv_fortify" != no],
    [HARDENING_CPPFLAGS="-D_FORTIFY_SOURCE=$ff_cv_fortify"])
])
AC_DEFUN([FF_HARDEN], [
  AC_ARG_ENABLE([hardening],
    [AS_HELP_STRING([--disable-hardening],
                    [without stack protector, _FORTIFY_SOURCE, RELRO and PIE])],
    [], [enable_hardening=yes])
  HARDENING_CPPFLAGS=
  HARDENING_CFLAGS=
  HARDENING_LDFLAGS=
  AS_IF([test "$enable_hardening" = yes], [
    FF_HARDEN_COMPILER([-fstack-protector-strong])
    FF_HARDEN_COMPILER([-fstack-clash-protection])
    FF_HARDEN_COMPILER([-fcf-protection=full])
    FF_HARDEN_COMPILER([-mbranch-protection=standard])
    FF_HARDEN_COMPILER([-fPIE])
    FF_HARDEN_LINKER([-pie])
    FF_HARDEN_LINKER([-Wl,-z,relro])
    FF_HARDEN_LINKER([-Wl,-z,now])
    FF_HARDEN_LINKER([-Wl,-z,noexecstack])
    AS_IF([test "$enable_sanitizers" != yes], [FF_FORTIFY])
  ])
  AC_SUBST([HARDENING_CPPFLAGS])
  AC_SUBST([HARDENING_CFLAGS])
  AC_SUBST([HARDENING_LDFLAGS])
])
