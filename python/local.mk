# python - the package for operators, workers and campaigns: fanfold-python(7)
#
# Installed below datadir, where the program finds it (src/handover/python_path.h);
# copied beside it in a build directory.

python_package = \
	%D%/fanfold/__init__.py \
	%D%/fanfold/_json.py \
	%D%/fanfold/_messages.py \
	%D%/fanfold/artifact.py \
	%D%/fanfold/campaign.py \
	%D%/fanfold/declare.py \
	%D%/fanfold/functions.py \
	%D%/fanfold/py.typed \
	%D%/fanfold/run.py \
	%D%/fanfold/serve.py \
	%D%/fanfold/tasks.py \
	%D%/fanfold/workers.py
# End of python_package

packagedir = $(pkgdatadir)
nobase_dist_package_DATA = $(python_package)
EXTRA_DIST += %D%/pyproject.toml

noinst_DATA += python-package

.PHONY: python-package python-package-clean
python-package: $(python_package)
	@test '$(abs_srcdir)' = '$(abs_builddir)' || \
	for file in $(python_package); do \
		$(MKDIR_P) "$${file%/*}" && \
		{ cmp -s "$(srcdir)/$$file" "$$file" || \
			cp "$(srcdir)/$$file" "$$file"; } && \
		chmod u+w "$$file" || exit 1; \
	done

python-package-clean:
	@rm -rf python/fanfold/__pycache__
	@test '$(abs_srcdir)' = '$(abs_builddir)' || rm -rf python

clean-local: python-package-clean

# What Python left beside it.
uninstall-local:
	rm -rf '$(DESTDIR)$(packagedir)/python/fanfold/__pycache__'
