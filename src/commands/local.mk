# commands - one file per command

noinst_LIBRARIES += %D%/libcommands.a
floor_libs += %D%/libcommands.a
%C%_libcommands_a_SOURCES = \
	%D%/advance.c \
	%D%/agent.c \
	%D%/campaign.c \
	%D%/campaign.h \
	%D%/check.c \
	%D%/command.h \
	%D%/command_table.c \
	%D%/command_table.h \
	%D%/doctor.c \
	%D%/examine_node.c \
	%D%/explain.c \
	%D%/explain_frame.c \
	%D%/explain_frame.h \
	%D%/invocation.c \
	%D%/invocation.h \
	%D%/local_supervisor.c \
	%D%/log.c \
	%D%/new.c \
	%D%/new_template.c \
	%D%/new_template.h \
	%D%/operator.c \
	%D%/plan.c \
	%D%/requests.c \
	%D%/result.c \
	%D%/run.c \
	%D%/select.c \
	%D%/select_plan.c \
	%D%/select_plan.h \
	%D%/select_rules.c \
	%D%/select_rules.h \
	%D%/select_source.c \
	%D%/select_source.h \
	%D%/select_view.c \
	%D%/select_view.h \
	%D%/status.c \
	%D%/stepping.c \
	%D%/stepping.h \
	%D%/stopping.c \
	%D%/stopping.h \
	%D%/submit.c \
	%D%/wake.c
# End of %C%_libcommands_a_SOURCES
