# doc - manual pages, the tutorial and the architecture

dist_man_MANS = \
	%D%/fanfold-campaign.5 \
	%D%/fanfold-data.1 \
	%D%/fanfold-declare.5 \
	%D%/fanfold-explore.7 \
	%D%/fanfold-groups.7 \
	%D%/fanfold-label.7 \
	%D%/fanfold-operators.7 \
	%D%/fanfold-python.7 \
	%D%/fanfold-quick.1 \
	%D%/fanfold-reduce.1 \
	%D%/fanfold-select.7 \
	%D%/fanfold-site.5 \
	%D%/fanfold-train.7 \
	%D%/fanfold-worker.7 \
	%D%/fanfold.1
# End of dist_man_MANS
# Of what --json prints, and of the files that people write (scripts/schemas).
schemasdir = $(pkgdatadir)/schemas
dist_schemas_DATA = \
	%D%/schemas/adopt.schema.json \
	%D%/schemas/advance.schema.json \
	%D%/schemas/calibrate.schema.json \
	%D%/schemas/call.schema.json \
	%D%/schemas/campaign.schema.json \
	%D%/schemas/check.schema.json \
	%D%/schemas/convert.schema.json \
	%D%/schemas/data.schema.json \
	%D%/schemas/doctor.schema.json \
	%D%/schemas/du.schema.json \
	%D%/schemas/explain.schema.json \
	%D%/schemas/export.schema.json \
	%D%/schemas/import.schema.json \
	%D%/schemas/log.schema.json \
	%D%/schemas/new.schema.json \
	%D%/schemas/plan.schema.json \
	%D%/schemas/probe.schema.json \
	%D%/schemas/quick.schema.json \
	%D%/schemas/recover.schema.json \
	%D%/schemas/report.schema.json \
	%D%/schemas/request.schema.json \
	%D%/schemas/result.schema.json \
	%D%/schemas/run.schema.json \
	%D%/schemas/select.schema.json \
	%D%/schemas/site.schema.json \
	%D%/schemas/status.schema.json \
	%D%/schemas/store.schema.json \
	%D%/schemas/verify.schema.json
# End of dist_schemas_DATA
dist_doc_DATA = \
	%D%/from-dpgen.md \
	%D%/tutorial.md
# End of dist_doc_DATA
EXTRA_DIST += \
	%D%/architecture.md \
	%D%/decisions.md \
	%D%/run.svg \
	%D%/security.md \
	%D%/testing.md
# End of EXTRA_DIST

# The manual pages as HTML with an index: make html, make install-html.
html-local: %D%/html/index.html
%D%/html/index.html: $(dist_man_MANS) scripts/manual-html
	$(AM_V_GEN)rm -rf %D%/html && for page in $(dist_man_MANS); do \
		set -- "$$@" "$(srcdir)/$$page"; \
	done && $(srcdir)/scripts/manual-html %D%/html "$$@"

install-html-local: html-local
	$(MKDIR_P) '$(DESTDIR)$(htmldir)/html'
	$(INSTALL_DATA) %D%/html/*.html '$(DESTDIR)$(htmldir)/html'

.PHONY: manual-html-uninstall manual-html-clean
manual-html-uninstall:
	rm -rf '$(DESTDIR)$(htmldir)/html'
uninstall-local: manual-html-uninstall

manual-html-clean:
	@rm -rf %D%/html
clean-local: manual-html-clean
