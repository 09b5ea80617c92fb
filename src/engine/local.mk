# engine - journal, decide, act, drivers

noinst_LIBRARIES += %D%/libengine.a
floor_libs += %D%/libengine.a
%C%_libengine_a_SOURCES = \
	%D%/act.c \
	%D%/act.h \
	%D%/act_attempt.c \
	%D%/act_fan_in.c \
	%D%/act_iteration.c \
	%D%/act_job.c \
	%D%/act_prepare.c \
	%D%/act_results.c \
	%D%/act_submit.c \
	%D%/act_wakeup.c \
	%D%/attempt_file.c \
	%D%/attempt_file.h \
	%D%/classify.c \
	%D%/classify.h \
	%D%/debris.c \
	%D%/debris.h \
	%D%/decide.c \
	%D%/decide.h \
	%D%/decide_attempt.c \
	%D%/decide_chain.c \
	%D%/decide_room.c \
	%D%/decide_stage.c \
	%D%/decide_stage.h \
	%D%/driver.c \
	%D%/driver.h \
	%D%/engine.c \
	%D%/engine.h \
	%D%/events.c \
	%D%/events.h \
	%D%/fold.h \
	%D%/fold_request.c \
	%D%/fold_stage.c \
	%D%/fold_submission.c \
	%D%/fold_wakeup.c \
	%D%/front_step.c \
	%D%/front_step.h \
	%D%/inputs.c \
	%D%/inputs.h \
	%D%/job_time.c \
	%D%/job_time.h \
	%D%/journal.c \
	%D%/journal.h \
	%D%/observe.c \
	%D%/observe.h \
	%D%/outputs_store.c \
	%D%/outputs_store.h \
	%D%/publish.c \
	%D%/publish.h \
	%D%/requests.c \
	%D%/requests.h \
	%D%/retry.c \
	%D%/retry.h \
	%D%/slices.c \
	%D%/slices.h \
	%D%/state.c \
	%D%/state.h \
	%D%/state_checkpoint.c \
	%D%/state_fold.c \
	%D%/wake_driver.c \
	%D%/wake_driver.h \
	%D%/wakeups.c \
	%D%/wakeups.h
# End of %C%_libengine_a_SOURCES
