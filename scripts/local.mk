# scripts - checks of the source itself, run by make check

source_checks = \
	%D%/check-layers
# End of source_checks

dist_check_SCRIPTS += $(source_checks)
TESTS += $(source_checks)
