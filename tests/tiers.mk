# Which suites `make check` runs, what is built for each, and how it is run.

# `make check` runs all suites but the long ones, `make check-all` all, `make check-rest` the long ones. With
# CASE='rules/wait-idle/*' they run only the suites that have such cases, and of them only these; with
# TESTS='tests/rules.sh tests/unit/test_buf' only the named suites.
TESTS = $(suites)
suites =
long_suites = \
	tests/action.sh \
	tests/bazel.sh \
	tests/clients.sh \
	tests/crowds.sh \
	tests/faults.sh \
	tests/fuzz.sh \
	tests/fuzz/calls$(EXEEXT) \
	tests/grammar-headers.sh \
	tests/grammar-nvcc.sh \
	tests/grammar-samples.sh \
	tests/grammar-strict.sh \
	tests/grammar-trees.sh \
	tests/install.sh \
	tests/lint-sleeps.sh \
	tests/model/events$(EXEEXT) \
	tests/model/exhaustive$(EXEEXT) \
	tests/model/graphs$(EXEEXT) \
	tests/model/metamorphic$(EXEEXT) \
	tests/model/registers$(EXEEXT) \
	tests/model/straight_lines$(EXEEXT) \
	tests/mutants.sh \
	tests/pre-commit.sh \
	tests/ptxas.sh \
	tests/python.sh \
	tests/report-consumers.sh \
	tests/sass.sh \
	tests/sass-real.sh \
	tests/sentry.sh \
	tests/tree-sitter-bindings.sh \
	tests/tree-sitter-editors.sh \
	tests/tree-sitter-package.sh
# The suites of the first tier that TIER=short leaves out, for runs in which they have already run on the same archive.
slow_suites = \
	tests/cli.sh \
	tests/fix.sh \
	tests/http.sh \
	tests/limits.sh \
	tests/lint/lint.sh \
	tests/pages.sh \
	tests/renamed.sh \
	tests/routes.sh \
	tests/sass-grid.sh
check_PROGRAMS = $(every_check_program)
every_check_program =
long_programs = $(filter-out %.sh,$(long_suites)) tests/crowds/crowds$(EXEEXT) tests/fuzz/prefixes$(EXEEXT) \
	tests/fuzz/replay$(EXEEXT) tests/grammar/parse$(EXEEXT) tests/grammar/trees$(EXEEXT) tests/mutants/judge$(EXEEXT) \
	tests/mutants/tables$(EXEEXT) tests/sleeps/sleeps$(EXEEXT)

# Computed once: the makes that this one starts get the result.
chosen = $(eval chosen := $(or $(CHOSEN),$$(shell SRCDIR='$(abs_top_srcdir)' bash $(srcdir)/tests/chosen.sh '$(CASE)')))$(or \
	$(chosen),$(error nothing to check))
AM_MAKEFLAGS = $(if $(CASE),CHOSEN='$(chosen)')
named = $(CASE)$(filter command environment,$(firstword $(origin TESTS)))
empty = $(eval override $(1) =)
# Lists that automake's rules read. For named suites only the prerequisites of their logs are built (below).
selection := $(if $(CASE),$(eval override TESTS = $$(chosen)))$(if $(named),$(foreach \
	list,PROGRAMS LTLIBRARIES MANS DATA check_PROGRAMS,$(call empty,$(list))))$(if $(named)$(TIER),,$(eval \
	override TESTS = $$(filter-out $$(long_suites),$$(suites)))$(eval \
	override check_PROGRAMS = $$(filter-out $$(long_programs),$$(every_check_program))))$(if $(filter rest,$(TIER)),$(eval \
	override TESTS = $$(filter $$(long_suites),$$(suites))))$(if $(filter short,$(TIER)),$(eval \
	override TESTS = $$(filter-out $$(long_suites) $$(slow_suites),$$(suites)))$(eval \
	override check_PROGRAMS = $$(filter-out $$(long_programs),$$(every_check_program))))
check-all:
	+@$(MAKE) $(AM_MAKEFLAGS) check TIER=all
check-rest:
	+@$(MAKE) $(AM_MAKEFLAGS) check TIER=rest
# Started first, so that they do not run alone at the end.
slow_logs = tests/mutants.log tests/http.log tests/report-consumers.log tests/cli.log tests/lint/lint.log tests/limits.log

check-TESTS: $(check_PROGRAMS)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/progress.sh 'check$(addprefix -,$(TIER))' $(TESTS)
	@rm -f $(TEST_LOGS) $(TEST_LOGS:.log=.trs) $(TEST_SUITE_LOG)
	+@$(MAKE) $(AM_MAKEFLAGS) $(TEST_SUITE_LOG) TEST_LOGS='$(filter $(slow_logs),$(TEST_LOGS)) $(filter-out $(slow_logs),$(TEST_LOGS))'
check-programs: $(check_PROGRAMS)
.PHONY: check-all check-programs check-rest

# The programs that a suite runs. A script without a line here depends on `all`.
own_logs = tests/rules.log tests/isa.log tests/never.log tests/pipeline.log tests/mutants/cases.log \
	tests/rule-table.log tests/lint-codes.log tests/pairs.log tests/bugs.log tests/fix.log tests/roles.log tests/check.log tests/bad.log \
	tests/examples.log tests/doc.log tests/cli.log tests/invariants.log tests/syntax.log tests/routes.log \
	tests/lint-sleeps.log tests/report.log tests/report-consumers.log tests/limits.log tests/lsp.log tests/wrapper.log tests/wrapper-options.log tests/build.log \
	tests/mutants.log tests/crowds.log tests/sass.log tests/sass-real.log tests/fuzz.log
tests/rules.log tests/isa.log tests/never.log tests/pipeline.log tests/mutants/cases.log: tests/run_cases$(EXEEXT)
tests/invariants.log tests/syntax.log: tests/invariants$(EXEEXT)
tests/rule-table.log: tests/rule_table$(EXEEXT) ptxopt$(EXEEXT) docgen$(EXEEXT)
tests/bugs.log tests/lint/lint.log: tests/run_cases$(EXEEXT)
tests/lint-codes.log tests/fix.log tests/renamed.log tests/pages.log tests/action.log: cases.stamp
tests/lint-codes.log tests/pairs.log tests/fix.log tests/renamed.log: tests/lint_findings$(EXEEXT)
tests/check.log: ptxopt-verify$(EXEEXT)
tests/report-consumers.log: ptxopt$(EXEEXT)
tests/report.log tests/report-consumers.log: docgen$(EXEEXT)
tests/bad.log tests/doc.log tests/examples.log tests/fix.log tests/lsp.log tests/report.log tests/roles.log: ptxopt$(EXEEXT)
tests/cli.log: ptxopt$(EXEEXT) ptxopt-verify$(EXEEXT) ptxopt-ptxas$(EXEEXT) docgen$(EXEEXT)
tests/wrapper.log tests/wrapper-options.log: ptxopt-ptxas$(EXEEXT)
tests/build.log: ptxopt-verify$(EXEEXT)
tests/routes.log: tests/routes/routes$(EXEEXT) known_shapes_print$(EXEEXT)
tests/lint-sleeps.log: tests/sleeps/sleeps$(EXEEXT)
tests/limits.log: tests/bench/used$(EXEEXT) ptxopt$(EXEEXT)
tests/mutants.log: tests/mutants/judge$(EXEEXT) tests/mutants/tables$(EXEEXT) tests/sass/differential$(EXEEXT)
tests/crowds.log: tests/crowds/crowds$(EXEEXT)
tests/sass.log tests/sass-grid.log tests/sass-real.log: tests/sass/differential$(EXEEXT)
tests/fuzz.log: tests/fuzz/replay$(EXEEXT)
tests/faults.log: tests/fuzz/prefixes$(EXEEXT) tests/fuzz/shared$(EXEEXT)
tests/grammar-headers.log tests/grammar-lenient.log tests/grammar-nvcc.log tests/grammar-speed.log: tests/grammar/parse$(EXEEXT)
tests/grammar-queries.log tests/tree-sitter-editors.log: tests/grammar/captures$(EXEEXT)
tests/grammar-trees.log: tests/grammar/trees$(EXEEXT)
$(filter-out $(own_logs),$(patsubst %.sh,%.log,$(filter %.sh,$(suites)))): | everything
# The suites that read the cases as separate texts.
tests/cli.log tests/invariants.log tests/mutants.log tests/rule-table.log tests/routes.log tests/sass-real.log tests/fuzz.log tests/ptxas.log tests/grammar-trees.log \
tests/sentry.log tests/model/dropped.log tests/model/metamorphic.log: cases.stamp
everything: $(bin_PROGRAMS) $(sbin_PROGRAMS) $(pkglibexec_PROGRAMS) $(noinst_PROGRAMS) $(lib_LTLIBRARIES) $(nodist_man_MANS) \
	$(nodist_bashcompletion_DATA) $(nodist_fishcompletion_DATA) $(nodist_zshcompletion_DATA)
.PHONY: everything

# automake's lists for cleaning may be those of one tier only.
every_log = $(patsubst %,%.log,$(patsubst %.sh,%,$(suites)))
CLEANFILES += tests/progress.plan $(every_check_program)
EXTRA_DIST += tests/driver.sh tests/limited.sh tests/progress.sh tests/seconds.tsv

