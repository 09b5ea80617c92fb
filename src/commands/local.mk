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
	%D%/printed.c \
	%D%/printed.h \
	%D%/new.c \
	%D%/new_template.c \
	%D%/new_template.h \
	%D%/operator.c \
	%D%/plan.c \
	%D%/requests.c \
	%D%/result.c \
	%D%/run.c \
	%D%/select.c \
	%D%/select_source.c \
	%D%/select_source.h \
	%D%/stage_task.c \
	%D%/stage_task.h \
	%D%/status.c \
	%D%/stepping.c \
	%D%/stepping.h \
	%D%/stopping.c \
	%D%/stopping.h \
	%D%/submit.c \
	%D%/what_if.c \
	%D%/what_if.h \
	%D%/wake.c
# End of %C%_libcommands_a_SOURCES
