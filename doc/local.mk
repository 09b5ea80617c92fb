# doc - manual pages and the architecture

dist_man_MANS = \
	%D%/fanfold-campaign.5 \
	%D%/fanfold-groups.7 \
	%D%/fanfold-operators.7 \
	%D%/fanfold-python.7 \
	%D%/fanfold-reduce.1 \
	%D%/fanfold-site.5 \
	%D%/fanfold-worker.7 \
	%D%/fanfold.1
# End of dist_man_MANS
dist_doc_DATA = %D%/from-dpgen.md
EXTRA_DIST += \
	%D%/architecture.md \
	%D%/decisions.md \
	%D%/security.md \
	%D%/testing.md
# End of EXTRA_DIST
