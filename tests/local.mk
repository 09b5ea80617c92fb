# tests - unit tests (cmocka) and command-line tests (shell), all TAP
#
# A unit test is one line in unit_tests: tests/unit/test_x.t is made from
# tests/unit/test_x.c and linked to every floor.  A command-line test is one
# line in cli_tests: an executable script in tests/cli.  Tests run in the top
# build directory with srcdir, abs_top_srcdir and abs_top_builddir in the
# environment and the built programs first on PATH.

TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	PATH='$(abs_top_builddir)':"$$PATH"; export PATH;

LDADD = $(floor_libs) $(outside_libs) $(CMOCKA_LIBS)

unit_tests = \
	%D%/unit/test_error.t
# End of unit_tests

cli_tests =
# End of cli_tests

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
dist_check_SCRIPTS += $(cli_tests)
TESTS += $(cli_tests)
