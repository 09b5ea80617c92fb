# scheduler-adapters - one folder each behind adapter.h

noinst_LIBRARIES += %D%/libadapters.a
floor_libs += %D%/libadapters.a
%C%_libadapters_a_SOURCES = \
	%D%/adapter.c \
	%D%/adapter.h \
	%D%/allocation/allocation.c \
	%D%/allocation/allocation.h \
	%D%/allocation/elements.c \
	%D%/allocation/nodes.c \
	%D%/allocation/runner.c \
	%D%/allocation/runner.h \
	%D%/allocation/runner_environment.c \
	%D%/allocation/runner_node.c \
	%D%/allocation/runner_team.c \
	%D%/allocation/start.c \
	%D%/allocation/team.c \
	%D%/allocation/team.h \
	%D%/command_client.c \
	%D%/command_client.h \
	%D%/command_examine.c \
	%D%/command_scheduler.c \
	%D%/command_scheduler.h \
	%D%/command_script.c \
	%D%/cores.c \
	%D%/cores.h \
	%D%/detached.c \
	%D%/detached.h \
	%D%/element_run.c \
	%D%/element_run.h \
	%D%/job_around.c \
	%D%/job_around.h \
	%D%/job_view.c \
	%D%/job_view.h \
	%D%/local/local.c \
	%D%/local/local.h \
	%D%/local/start.c \
	%D%/local/supervisor.c \
	%D%/pbs/jobs.c \
	%D%/pbs/pbs.c \
	%D%/pbs/pbs.h \
	%D%/pbs/records.c \
	%D%/pbs/site.c \
	%D%/reply_text.c \
	%D%/reply_text.h \
	%D%/site_description.c \
	%D%/site_description.h \
	%D%/site_findings.c \
	%D%/slurm/accounts.c \
	%D%/slurm/complaints.c \
	%D%/slurm/jobs.c \
	%D%/slurm/memory.c \
	%D%/slurm/nodes.c \
	%D%/slurm/site.c \
	%D%/slurm/slurm.c \
	%D%/slurm/slurm.h \
	%D%/slurm/states.c \
	%D%/spool.c \
	%D%/spool.h
# End of %C%_libadapters_a_SOURCES

EXTRA_DIST += %D%/ADDING-ONE.md
