# scheduler-adapters - one folder each behind adapter.h

noinst_LIBRARIES += %D%/libadapters.a
floor_libs += %D%/libadapters.a
%C%_libadapters_a_SOURCES = \
	%D%/adapter.h \
	%D%/command_client.c \
	%D%/command_client.h \
	%D%/command_trouble.c \
	%D%/command_trouble.h \
	%D%/local/cores.c \
	%D%/local/cores.h \
	%D%/local/examine.c \
	%D%/local/examine.h \
	%D%/local/launch.c \
	%D%/local/launch.h \
	%D%/local/local.c \
	%D%/local/local.h \
	%D%/local/revive.c \
	%D%/local/revive.h \
	%D%/local/spool.c \
	%D%/local/spool.h \
	%D%/local/supervisor.c \
	%D%/local/supervisor.h \
	%D%/local/turn.c \
	%D%/local/turn.h \
	%D%/pbs/client.c \
	%D%/pbs/client.h \
	%D%/pbs/examine.c \
	%D%/pbs/examine.h \
	%D%/pbs/limits.c \
	%D%/pbs/limits.h \
	%D%/pbs/pbs.c \
	%D%/pbs/pbs.h \
	%D%/pbs/records.c \
	%D%/pbs/records.h \
	%D%/pbs/script.c \
	%D%/pbs/script.h \
	%D%/pbs/site.c \
	%D%/pbs/site.h \
	%D%/pbs/trouble.c \
	%D%/pbs/trouble.h \
	%D%/pbs/view.c \
	%D%/pbs/view.h \
	%D%/registry.c \
	%D%/reply_text.c \
	%D%/reply_text.h \
	%D%/script_words.c \
	%D%/script_words.h \
	%D%/sim/cluster.c \
	%D%/sim/cluster.h \
	%D%/sim/sim.c \
	%D%/sim/sim.h \
	%D%/site_cache.c \
	%D%/site_cache.h \
	%D%/slurm/client.c \
	%D%/slurm/client.h \
	%D%/slurm/examine.c \
	%D%/slurm/examine.h \
	%D%/slurm/examine_profile.c \
	%D%/slurm/examine_profile.h \
	%D%/slurm/examine_site.c \
	%D%/slurm/examine_site.h \
	%D%/slurm/limits.c \
	%D%/slurm/limits.h \
	%D%/slurm/memory.c \
	%D%/slurm/memory.h \
	%D%/slurm/nodes.c \
	%D%/slurm/nodes.h \
	%D%/slurm/poll.c \
	%D%/slurm/poll.h \
	%D%/slurm/rows.c \
	%D%/slurm/rows.h \
	%D%/slurm/script.c \
	%D%/slurm/script.h \
	%D%/slurm/site.c \
	%D%/slurm/site.h \
	%D%/slurm/slurm.c \
	%D%/slurm/slurm.h \
	%D%/slurm/states.c \
	%D%/slurm/states.h \
	%D%/slurm/submit_limits.c \
	%D%/slurm/submit_limits.h \
	%D%/slurm/trouble.c \
	%D%/slurm/trouble.h \
	%D%/slurm/view.c \
	%D%/slurm/view.h
# End of %C%_libadapters_a_SOURCES

EXTRA_DIST += %D%/ADDING-ONE.md
