# fanfold - the program; never linked to MPI

bin_PROGRAMS += fanfold
fanfold_SOURCES = %D%/main.c
fanfold_LDADD = $(floor_libs) $(outside_libs)

# Where the shells look for what completes its words; it says itself what that is.
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = %D%/completion/bash/fanfold
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = %D%/completion/zsh/_fanfold
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = %D%/completion/fish/fanfold.fish
completions = $(bashcompletion_DATA) $(zshcompletion_DATA) \
	$(fishcompletion_DATA)
CLEANFILES += $(completions)

$(completions): fanfold$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		./fanfold$(EXEEXT) completion `basename $(@D)` >$@.part && \
		mv $@.part $@
