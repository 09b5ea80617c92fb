# examples - campaigns to start from
#
# After a build each folder of the build directory is a complete campaign
# directory: what lies in the source's is copied there, unless they are one.

example_campaigns =
noinst_PROGRAMS =
noinst_DATA = example-campaigns

include examples/silicon/local.mk
include examples/task-group/local.mk

EXTRA_DIST += $(example_campaigns)

.PHONY: example-campaigns example-campaigns-clean
example-campaigns: $(example_campaigns)
	@test '$(abs_srcdir)' = '$(abs_builddir)' || \
	for file in $(example_campaigns); do \
		$(MKDIR_P) "$${file%/*}" && \
		{ cmp -s "$(srcdir)/$$file" "$$file" || \
			cp "$(srcdir)/$$file" "$$file"; } && \
		chmod u+w "$$file" || exit 1; \
	done

example-campaigns-clean:
	@test '$(abs_srcdir)' = '$(abs_builddir)' || rm -f $(example_campaigns)

distclean-local: example-campaigns-clean
