# examples - campaigns to start from
#
# After a build each folder is a complete campaign directory, in the source and in
# the build directory: the programs that are built are copied to its bin/ (where no
# rule makes them: make looks for the targets of a rule in both), and the files of the
# source's to the build directory's, unless they are one.

example_campaigns =

# Those that `fanfold new --template` writes: they are complete without what is
# built here.
template_names = \
	aluminium \
	ase-worker \
	deepmd-vasp \
	simplify \
	water-cp2k
# End of template_names

example_programs =
noinst_PROGRAMS =
noinst_DATA = example-campaigns

include examples/aluminium/local.mk
include examples/ase-worker/local.mk
include examples/deepmd-vasp/local.mk
include examples/quick-train/local.mk
include examples/job-function/local.mk
include examples/silicon/local.mk
include examples/simplify/local.mk
include examples/pipeline/local.mk
include examples/prep-run-train/local.mk
include examples/task-group/local.mk
include examples/water-cp2k/local.mk

# Installed as they are in the source: below examples/ beside other documentation.
exampledocdir = $(docdir)
nobase_dist_exampledoc_DATA = $(example_campaigns)

.PHONY: example-campaigns example-campaigns-clean
example-campaigns: $(example_campaigns) $(example_programs)
	@test '$(abs_srcdir)' = '$(abs_builddir)' || \
	for file in $(example_campaigns); do \
		$(MKDIR_P) "$${file%/*}" && \
		{ cmp -s "$(srcdir)/$$file" "$$file" || \
			cp "$(srcdir)/$$file" "$$file"; } && \
		chmod u+w "$$file" || exit 1; \
	done
	@for program in $(example_programs); do \
		name=$${program##*/}; \
		for campaign in "$${program%/*/*}" "$(srcdir)/$${program%/*/*}"; do \
			test -w "$$campaign" || continue; \
			cmp -s "$$program" "$$campaign/bin/$$name" && continue; \
			$(MKDIR_P) "$$campaign/bin" && \
			cp "$$program" "$$campaign/bin/.$$name.$$$$" && \
			mv -f "$$campaign/bin/.$$name.$$$$" "$$campaign/bin/$$name" || \
				exit 1; \
		done; \
	done

example-campaigns-clean:
	@test '$(abs_srcdir)' = '$(abs_builddir)' || rm -f $(example_campaigns)
	@for program in $(example_programs); do \
		rm -f "$${program%/*/*}/bin/$${program##*/}" \
			"$(srcdir)/$${program%/*/*}/bin/$${program##*/}" || exit 1; \
	done

distclean-local: example-campaigns-clean
