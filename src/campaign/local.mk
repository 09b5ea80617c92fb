# campaign - campaign.yaml and site.yaml, checked and compiled

noinst_LIBRARIES += %D%/libcampaign.a
floor_libs += %D%/libcampaign.a
%C%_libcampaign_a_SOURCES = \
	%D%/binding.c \
	%D%/binding.h \
	%D%/call_file.c \
	%D%/campaign_file.c \
	%D%/committee_check.c \
	%D%/compilation.h \
	%D%/compile.c \
	%D%/compile.h \
	%D%/config_changes.c \
	%D%/config_changes.h \
	%D%/constant.c \
	%D%/constant.h \
	%D%/container_file.c \
	%D%/container_file.h \
	%D%/env_file.c \
	%D%/env_file.h \
	%D%/data_doubts.c \
	%D%/data_files.c \
	%D%/field_reader.c \
	%D%/field_reader.h \
	%D%/frames_check.c \
	%D%/frames_check.h \
	%D%/function_text.c \
	%D%/function_text.h \
	%D%/functions_file.c \
	%D%/group_file.c \
	%D%/group_file.h \
	%D%/keep_file.c \
	%D%/launcher.c \
	%D%/launcher.h \
	%D%/lists_check.c \
	%D%/literal.c \
	%D%/node_file.c \
	%D%/node_file.h \
	%D%/operator_file.c \
	%D%/operator_file.h \
	%D%/phase_file.c \
	%D%/placeholders.c \
	%D%/placeholders.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/port_file.c \
	%D%/programs_check.c \
	%D%/programs_check.h \
	%D%/reference.c \
	%D%/script_check.c \
	%D%/script_check.h \
	%D%/script_file.c \
	%D%/script_file.h \
	%D%/shell_text.c \
	%D%/shell_text.h \
	%D%/site_file.c \
	%D%/site_file.h \
	%D%/stage_defaults.c \
	%D%/sizes_check.c \
	%D%/stage_group.c \
	%D%/stage_group.h \
	%D%/stages_bind.c \
	%D%/stages_declare.c \
	%D%/stages_flatten.c \
	%D%/stages_sort.c \
	%D%/step_with.c \
	%D%/step_with.h \
	%D%/super_operator.c \
	%D%/super_operator.h \
	%D%/task_fields.c \
	%D%/task_fields.h \
	%D%/strict_memory.c \
	%D%/strict_memory.h \
	%D%/tasks_check.c \
	%D%/type_file.c \
	%D%/type_file.h
# End of %C%_libcampaign_a_SOURCES
