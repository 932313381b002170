dnl SPDX-License-Identifier: Apache-2.0
dnl Berth's own configure checks. Each names the Debian package that is missing.

AC_DEFUN([BERTH_MISSING],
  [AC_MSG_ERROR([$1 is missing.
  On Debian and Ubuntu: apt-get install $2
  (./install-deps installs everything that Berth needs)])])

AC_DEFUN([BERTH_NEED_PKG_CONFIG],
  [m4_ifndef([PKG_PROG_PKG_CONFIG],
     [m4_fatal([pkg.m4 is missing: apt-get install pkg-config])])
   PKG_PROG_PKG_CONFIG
   AS_IF([test -z "$PKG_CONFIG"], [BERTH_MISSING([pkg-config], [pkg-config])])])

dnl BERTH_NEED_MODULE(VARIABLE, MODULE, DEBIAN-PACKAGE)
AC_DEFUN([BERTH_NEED_MODULE],
  [PKG_CHECK_MODULES([$1], [$2], [], [BERTH_MISSING([the library $2], [$3])])])

dnl BERTH_NEED_HEADER(HEADER, DEBIAN-PACKAGE)
AC_DEFUN([BERTH_NEED_HEADER],
  [AC_CHECK_HEADER([$1], [], [BERTH_MISSING([the header $1], [$2])],
    [#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>])])

AC_DEFUN([BERTH_ARG_WERROR],
  [AC_ARG_ENABLE([werror],
     [AS_HELP_STRING([--enable-werror], [treat warnings as errors])], [], [enable_werror=no])
   AS_IF([test "x$enable_werror" = xyes], [BERTH_CFLAGS="$BERTH_CFLAGS -Werror"])])

AC_DEFUN([BERTH_ARG_SANITIZERS],
  [AC_ARG_ENABLE([sanitizers],
     [AS_HELP_STRING([--enable-sanitizers=LIST],
       [build with -fsanitize=LIST, as address,undefined or thread])],
     [], [enable_sanitizers=no])
   AS_CASE([$enable_sanitizers],
     [no], [WITH_SANITIZERS=no],
     [yes|''], [AC_MSG_ERROR([--enable-sanitizers needs a list, as --enable-sanitizers=address,undefined])],
     [WITH_SANITIZERS=yes
      BERTH_CFLAGS="$BERTH_CFLAGS -fsanitize=$enable_sanitizers -fno-omit-frame-pointer"
      BERTH_LDFLAGS="$BERTH_LDFLAGS -fsanitize=$enable_sanitizers"])
   AC_SUBST([WITH_SANITIZERS])
   AM_CONDITIONAL([WITH_SANITIZERS], [test "$WITH_SANITIZERS" = yes])])

AC_DEFUN([BERTH_ARG_COVERAGE],
  [AC_ARG_ENABLE([coverage],
     [AS_HELP_STRING([--enable-coverage], [build for gcov])], [], [enable_coverage=no])
   AS_IF([test "x$enable_coverage" = xyes],
     [BERTH_CFLAGS="$BERTH_CFLAGS --coverage -O0"
      BERTH_LDFLAGS="$BERTH_LDFLAGS --coverage"])
   AC_SUBST([WITH_COVERAGE], [$enable_coverage])])

dnl BERTH_NEED_LIBRARY(VARIABLE, LIBRARY, FUNCTION, HEADER, DEBIAN-PACKAGE), for one without pkg-config
AC_DEFUN([BERTH_NEED_LIBRARY],
  [AC_CHECK_HEADER([$4], [], [BERTH_MISSING([the header $4], [$5])])
   AC_CHECK_LIB([$2], [$3], [AC_SUBST([$1], [-l$2])], [BERTH_MISSING([the library $2], [$5])])])
