# examples/prep-run-train - an operator made of operators, with silicon's trainer

example_campaigns += \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/initial.extxyz \
	%D%/judge.sh \
	%D%/prep.sh \
	%D%/run.sh \
	%D%/site.yaml

if HAVE_KIM
prep_run_train_programs = \
	%D%/trainer/fit_linear \
	%D%/trainer/libkim-api-portable-model.so
# End of prep_run_train_programs

example_programs += $(prep_run_train_programs)
CLEANFILES += $(prep_run_train_programs)

%D%/trainer/fit_linear: examples/silicon/potential/fit_linear$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D%/trainer && \
		cp examples/silicon/potential/fit_linear$(EXEEXT) $@

%D%/trainer/libkim-api-portable-model.so: \
		examples/silicon/potential/libkim-api-portable-model.so
	$(AM_V_GEN)$(MKDIR_P) %D%/trainer && \
		cp examples/silicon/potential/libkim-api-portable-model.so $@
endif
