# scripts - checks of the source itself, run by make check

source_checks = \
	%D%/check-layers
# End of source_checks

dist_check_SCRIPTS += $(source_checks)
TESTS += $(source_checks)

EXTRA_DIST += \
	%D%/bench \
	%D%/bench-agent \
	%D%/bench-formats \
	%D%/bench-redo \
	%D%/bench-report \
	%D%/bench-reuse \
	%D%/bench-scale \
	%D%/bench-select \
	%D%/bench-submit \
	%D%/bench-worker \
	%D%/build \
	%D%/crash-sweep \
	%D%/fuzz \
	%D%/manual-html \
	%D%/model \
	%D%/packages \
	%D%/picture \
	%D%/quickstart \
	%D%/schemas \
	%D%/simulate \
	%D%/template-files \
	%D%/test \
	%D%/testbed-slurm \
	%D%/valgrind
# End of EXTRA_DIST
