# commands - one file per command

noinst_LIBRARIES += %D%/libcommands.a
floor_libs += %D%/libcommands.a
%C%_libcommands_a_SOURCES = \
	%D%/adopt.c \
	%D%/advance.c \
	%D%/calibrate.c \
	%D%/call.c \
	%D%/call_drive.c \
	%D%/call_drive.h \
	%D%/campaign.c \
	%D%/campaign.h \
	%D%/check.c \
	%D%/command.h \
	%D%/command_line.c \
	%D%/command_line.h \
	%D%/complete.c \
	%D%/completion.c \
	%D%/convert.c \
	%D%/data.c \
	%D%/data_import.c \
	%D%/data_import.h \
	%D%/data_report.c \
	%D%/data_report.h \
	%D%/dataset_files.c \
	%D%/dataset_files.h \
	%D%/disk_use.c \
	%D%/disk_use.h \
	%D%/doctor.c \
	%D%/du.c \
	%D%/edited_files.c \
	%D%/edited_files.h \
	%D%/frame_files.c \
	%D%/frame_files.h \
	%D%/help.c \
	%D%/help.h \
	%D%/explain.c \
	%D%/explain_events.c \
	%D%/explain_file.c \
	%D%/explain_file.h \
	%D%/explain_file_json.c \
	%D%/explain_frame.c \
	%D%/explain_record.c \
	%D%/explain_record.h \
	%D%/explain_text.c \
	%D%/export.c \
	%D%/file_trust.c \
	%D%/file_trust.h \
	%D%/foreground.c \
	%D%/foreground.h \
	%D%/import.c \
	%D%/invocation.c \
	%D%/joined_set.c \
	%D%/joined_set.h \
	%D%/log.c \
	%D%/log_follow.c \
	%D%/log_follow.h \
	%D%/manual_part.c \
	%D%/manual_part.h \
	%D%/named_stages.c \
	%D%/named_stages.h \
	%D%/new.c \
	%D%/lineage.c \
	%D%/lineage.h \
	%D%/lineage_left.c \
	%D%/lineage_users.c \
	%D%/lineage_users.h \
	%D%/lineage_left.h \
	%D%/pager.c \
	%D%/pager.h \
	%D%/plan.c \
	%D%/plan_forecast.c \
	%D%/plan_forecast.h \
	%D%/plan_node.c \
	%D%/plan_node.h \
	%D%/probe.c \
	%D%/probe.h \
	%D%/quick.c \
	%D%/quick.h \
	%D%/quick_drive.c \
	%D%/quick_make.c \
	%D%/quick_making.h \
	%D%/quick_resources.c \
	%D%/quick_tasks.c \
	%D%/published_parts.c \
	%D%/published_parts.h \
	%D%/python_function.c \
	%D%/python_function.h \
	%D%/recover.c \
	%D%/report.c \
	%D%/report_data.c \
	%D%/report_learning.c \
	%D%/report_sections.h \
	%D%/report_tasks.c \
	%D%/requests.c \
	%D%/result.c \
	%D%/result_print.c \
	%D%/result_print.h \
	%D%/reuse_option.c \
	%D%/reuse_option.h \
	%D%/run.c \
	%D%/select.c \
	%D%/select_source.c \
	%D%/started.c \
	%D%/status.c \
	%D%/status_watch.c \
	%D%/status_watch.h \
	%D%/store.c \
	%D%/taken_log.c \
	%D%/taken_log.h \
	%D%/task_output.c \
	%D%/task_output.h \
	%D%/task_record.c \
	%D%/task_record.h \
	%D%/template_files.h \
	%D%/training_frames.c \
	%D%/training_frames.h \
	%D%/verify.c \
	%D%/what_if.c \
	%D%/what_if.h \
	%D%/wake.c
# End of %C%_libcommands_a_SOURCES

# What `fanfold new --template` writes.
nodist_%C%_libcommands_a_SOURCES = %D%/template_files.c %D%/manual_lines.c
CLEANFILES += %D%/template_files.c %D%/manual_lines.c

# What `fanfold help COMMAND` prints parts of.
command_pages = doc/fanfold.1 doc/fanfold-data.1 doc/fanfold-quick.1
%D%/manual_lines.c: $(command_pages)
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
		echo '#include "base/base.h"'; echo; \
		echo '#include "commands/manual_part.h"'; echo; \
		echo 'const char *const manual_lines[] = {'; \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$$/\\n",/' \
			$(addprefix $(srcdir)/,$(command_pages)); \
		echo '    NULL'; echo '};'; } >$@.part && mv $@.part $@

%D%/template_files.c: scripts/template-files examples/local.mk \
		$(addprefix $(srcdir)/,$(example_campaigns))
	$(AM_V_GEN)$(MKDIR_P) %D% && \
		$(srcdir)/scripts/template-files $(srcdir) $(template_names) \
			-- $(example_campaigns) >$@.part && mv $@.part $@
