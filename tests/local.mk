# The tests print TAP: every case is a separate line. Data is in folders, see README.md here.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' bash $(top_srcdir)/tests/driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = \
	SRCDIR='$(abs_top_srcdir)'; export SRCDIR; \
	BUILDDIR='$(abs_top_builddir)'; export BUILDDIR; \
	PTXOPT='$(abs_top_builddir)/ptxopt$(EXEEXT)'; export PTXOPT; \
	PTXOPT_SHARED="$${PTXOPT_SHARED:-$(abs_top_srcdir)/../shared}"; export PTXOPT_SHARED; \
	CASES='$(CASE)'; export CASES; \
	EXPANDED='$(abs_top_builddir)/cases.dir'; export EXPANDED; \
	LC_ALL=C; export LC_ALL;

include $(top_srcdir)/tests/tiers.mk

# ---- data: one script for each kind ----

every_check_program += tests/run_cases tests/invariants tests/rule_table tests/lint_findings
case_sources = tests/case_file.c tests/case_file.h tests/case_lines.h tests/harness.c tests/harness.h
tests_run_cases_SOURCES = tests/run_cases.c tests/case_lint.c tests/case_run.c tests/case_update.c $(case_sources)
tests_run_cases_LDADD = libptxopt.la

# Each case as a separate text, for programs that take whole files.
case_folders = tests/rules tests/isa tests/never tests/pipeline tests/mutants/cases tests/lint-codes tests/bugs
cases.stamp: tests/run_cases$(EXEEXT) $(foreach folder,$(case_folders),$(wildcard $(srcdir)/$(folder)/*.ptx $(srcdir)/$(folder)/*/*.ptx))
	@rm -rf cases.dir
	@SRCDIR='$(abs_top_srcdir)' tests/run_cases$(EXEEXT) --expand '$(abs_top_builddir)/cases.dir' $(case_folders)
	@touch $@

tests_invariants_SOURCES = tests/invariants.c tests/harness.c tests/harness.h
tests_invariants_LDADD = libptxopt.la
tests_lint_findings_SOURCES = tests/lint_findings.c tests/harness.c tests/harness.h
tests_lint_findings_LDADD = libptxopt.la
tests_rule_table_SOURCES = tests/rule_table.c
tests_rule_table_LDADD = libptxopt_internal.la

test_scripts = \
	tests/rules.sh \
	tests/rule-table.sh \
	tests/lint-codes.sh tests/pairs.sh tests/lint-sleeps.sh tests/roles.sh tests/bugs.sh tests/renamed.sh tests/fix.sh \
	tests/isa.sh \
	tests/never.sh \
	tests/check.sh \
	tests/pipeline.sh \
	tests/routes.sh \
	tests/invariants.sh \
	tests/syntax.sh \
	tests/grammar.sh \
	tests/examples.sh \
	tests/doc.sh \
	tests/demo.sh tests/readme.sh tests/pages.sh \
	tests/cli.sh \
	tests/wrapper.sh \
	tests/build.sh \
	tests/wrapper-options.sh \
	tests/clients.sh \
	tests/report.sh tests/report-consumers.sh \
	tests/lsp.sh \
	tests/bad.sh \
	tests/ptxas.sh \
	tests/limits.sh \
	tests/lint/lint.sh

# ---- one program for each file of src/base and src/text ----

unit_tests = \
	tests/unit/test_arena \
	tests/unit/test_behind \
	tests/unit/test_buf \
	tests/unit/test_edit \
	tests/unit/test_findings \
	tests/unit/test_intern \
	tests/unit/test_intervals \
	tests/unit/test_lint \
	tests/unit/test_mention \
	tests/unit/test_names \
	tests/unit/test_occupancy \
	tests/unit/test_section \
	tests/unit/test_shared_set \
	tests/unit/test_side_by_side \
	tests/unit/test_opcode \
	tests/unit/test_progress \
	tests/unit/test_source \
	tests/unit/test_team \
	tests/unit/test_token \
	tests/unit/test_values \
	tests/unit/test_webs \
	tests/unit/test_work
unit_ldadd = libptxopt_internal.la $(CMOCKA_LIBS)
tests_unit_test_arena_LDADD = $(unit_ldadd)
tests_unit_test_behind_LDADD = $(unit_ldadd)
tests_unit_test_buf_LDADD = $(unit_ldadd)
tests_unit_test_edit_LDADD = $(unit_ldadd)
tests_unit_test_findings_LDADD = libptxopt_report.la $(unit_ldadd) $(JANSSON_LIBS)
tests_unit_test_intern_LDADD = $(unit_ldadd)
tests_unit_test_intervals_LDADD = $(unit_ldadd)
tests_unit_test_lint_LDADD = $(unit_ldadd)
tests_unit_test_mention_LDADD = $(unit_ldadd)
tests_unit_test_names_LDADD = $(unit_ldadd)
tests_unit_test_occupancy_LDADD = libptxopt_report.la $(unit_ldadd) $(JANSSON_LIBS)
tests_unit_test_opcode_LDADD = $(unit_ldadd)
tests_unit_test_progress_LDADD = $(unit_ldadd)
tests_unit_test_section_LDADD = $(unit_ldadd)
tests_unit_test_shared_set_LDADD = $(unit_ldadd)
tests_unit_test_side_by_side_LDADD = libptxopt_report.la $(unit_ldadd) $(JANSSON_LIBS)
tests_unit_test_source_LDADD = $(unit_ldadd)
tests_unit_test_team_LDADD = $(unit_ldadd)
tests_unit_test_token_SOURCES = \
	tests/unit/test_token.c tests/routes/same_view.c tests/routes/same_view.h tests/unit/unit.h
tests_unit_test_token_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_test_token_LDADD = $(unit_ldadd)
tests_unit_test_values_LDADD = $(unit_ldadd)
tests_unit_test_webs_LDADD = $(unit_ldadd)
tests_unit_test_work_LDADD = $(unit_ldadd)
if HAVE_CMOCKA
every_check_program += $(unit_tests)
suites += $(unit_tests)
else
suites += tests/unit/skipped.sh
endif

# ---- programs against the semantics: one source each, linked by default to ----

LDADD = libptxopt_internal.la

model_tests = \
	tests/model/alignments \
	tests/model/callers \
	tests/model/classes \
	tests/model/dropped \
	tests/model/events \
	tests/model/exhaustive \
	tests/model/graphs \
	tests/model/metamorphic \
	tests/model/precision \
	tests/model/registers \
	tests/model/rewrites \
	tests/model/straight_lines \
	tests/model/tables \
	tests/model/unrolled
model_shared = tests/model/semantics.h tests/model/cells.h tests/model/print.h
tests_model_callers_SOURCES = tests/model/callers.c $(model_shared)
tests_model_classes_SOURCES = tests/model/classes.c $(model_shared)
tests_model_events_SOURCES = \
	tests/model/events.c tests/model/events_draw.h tests/model/events_graph.h \
	tests/model/events_lost.h tests/model/cells.h tests/model/print.h
tests_model_graphs_SOURCES = tests/model/graphs.c $(model_shared)
tests_model_registers_SOURCES = tests/model/registers.c $(model_shared)
tests_model_rewrites_SOURCES = tests/model/rewrites.c $(model_shared)
tests_model_straight_lines_SOURCES = tests/model/straight_lines.c $(model_shared)

# The programs that run on texts.
model_texts = tests/model/sites.h tests/harness.c tests/harness.h
tests_model_dropped_SOURCES = tests/model/dropped.c tests/model/strictness.h $(model_texts)
tests_model_exhaustive_SOURCES = \
	tests/model/exhaustive.c tests/model/small_programs.h $(model_shared)
tests_model_metamorphic_SOURCES = \
	tests/model/metamorphic.c tests/model/letters.h tests/model/rewriting.h $(model_texts)
tests_model_precision_SOURCES = tests/model/precision.c tests/model/strictness.h $(model_texts)
tests_model_tables_SOURCES = \
	tests/model/tables.c tests/model/checker_table.c tests/model/checker_table.h \
	tests/harness.c tests/harness.h
tests_model_unrolled_SOURCES = tests/model/unrolled.c tests/model/letters.h $(model_texts)
every_check_program += $(model_tests)

suites += $(model_tests) $(test_scripts)

lint: all tests/run_cases$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/lint/lint.sh \
	| { bad=0; while IFS= read -r line; do printf '%s\n' "$$line"; case $$line in 'not ok'*) bad=1 ;; esac; done; exit $$bad; }

# ---- the cost: tests/bench. limits.sh is a test of counts; the measured times are never a test ----

every_check_program += tests/bench/used
tests_bench_used_SOURCES = tests/bench/used.c
tests_bench_used_LDADD =

bench_programs = tests/bench/bench tests/bench/client tests/bench/floors
EXTRA_PROGRAMS += $(bench_programs)
tests_bench_bench_SOURCES = tests/bench/bench.c
tests_bench_bench_LDADD = libptxopt_internal.la
tests_bench_client_SOURCES = tests/bench/client.c
tests_bench_client_LDADD = -lpthread
tests_bench_floors_SOURCES = tests/bench/floors.c
tests_bench_floors_LDADD = libtree_sitter_ptx.la $(TREE_SITTER_LIBS)

# README=1: writes the tables of doc/cost.md, and the README's line, from this run. BENCH_LARGE=1: also measures 100 MB.
# KERNELS="DIR...": also measures the kernels of other folders.
bench: all cases.stamp tests/bench/used$(EXEEXT) $(bench_programs) tests/http/inprocess$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) README='$(README)' BENCH_KERNELS='$(KERNELS)' bash $(srcdir)/tests/bench/bench.sh

# FAMILIES="NAME..." of tests/bench/families.txt; default: all.
bench-families: tests/bench/bench$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/bench/exponents.sh $(FAMILIES)

.PHONY: bench-families

CLEANFILES += $(bench_programs)

EXTRA_DIST += \
	$(test_scripts) tests/lint/names.awk tests/lint/heads.awk tests/lint/cases tests/README.md tests/suites.md tests/chosen.sh tests/case-names.awk tests/expectations.sh tests/tap.sh tests/count.sh tests/coverage.sh \
	tests/unit/skipped.sh tests/unit/unit.h tests/bench/bench.sh tests/bench/examples-table.sh tests/bench/sources-table.sh tests/bench/train.sh \
	tests/bench/limits.tsv tests/bench/phases.tsv tests/bench/texts.sh \
	tests/bench/exponents.sh tests/bench/families.sh tests/bench/families.txt \
	tests/rules tests/lint-codes tests/roles tests/bugs tests/renamed tests/fix tests/isa tests/never tests/check tests/pipeline tests/cli tests/wrapper tests/clients tests/bad tests/commands.sh tests/nvdisasm.sh tests/pages

# ---- wrong beliefs: tests/mutants ----
# judge is linked with --wrap, which replaces the checker; mutants.sh links it again with each mutant.

AM_TESTS_ENVIRONMENT += \
	TEST_CC='$(CC) $(STD_CFLAGS) $(CPPFLAGS)'; export TEST_CC; \
	TEST_LIBS='$(LDFLAGS) $(TREE_SITTER_LIBS) $(LIBS) -pthread'; export TEST_LIBS; \
	INSTRUMENTED='$(SAN_CFLAGS)$(findstring --coverage,$(CFLAGS))'; export INSTRUMENTED;

every_check_program += tests/mutants/judge
tests_mutants_judge_SOURCES = \
	tests/mutants/judge.c tests/mutants/cases.h tests/mutants/texts.c tests/mutants/verdicts.c tests/mutants/findings.c \
	tests/case_lint.c tests/case_update.c $(case_sources)
tests_mutants_judge_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=check_run
# table_pairs.c and table_effects.c include the library's files, so that their tables are visible, and are linked in their place.
every_check_program += tests/mutants/tables
tests_mutants_tables_SOURCES = \
	tests/mutants/tables.c tests/mutants/tables.h tests/mutants/table_cover.c tests/mutants/table_effects.c \
	tests/mutants/table_opcodes.c tests/mutants/table_pairs.c tests/mutants/cases.h tests/mutants/texts.c \
	tests/mutants/verdicts.c $(case_sources)
tests_mutants_tables_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=check_run
suites += tests/mutants/cases.sh tests/mutants.sh
EXTRA_DIST += tests/same-as tests/mutants/cases.sh tests/mutants.sh tests/mutants/README.md tests/mutants/survivors.tsv tests/mutants/cases \
	$(wildcard $(srcdir)/tests/mutants/*.patch)

# ---- the two ways to read a text: tests/routes ----

EXTRA_DIST += tests/routes/lists-in-braces.ptx tests/routes/lists-of-parameters.ptx
every_check_program += tests/routes/routes
tests_routes_routes_SOURCES = \
	tests/routes/routes.c tests/routes/same_view.c tests/routes/same_view.h tests/harness.c \
	tests/harness.h
tests_routes_routes_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_routes_routes_LDADD = libptxopt_internal.la

# ---- large numbers of elements: tests/crowds ----

every_check_program += tests/crowds/crowds
tests_crowds_crowds_SOURCES = tests/crowds/crowds.c tests/harness.c tests/harness.h
tests_crowds_crowds_LDADD = libptxopt.la
suites += tests/crowds.sh
EXTRA_DIST += tests/crowds.sh tests/crowds/lists.tsv tests/crowds/hostile.tsv

# ---- the machine code of ptxas before and after: tests/sass ----

every_check_program += tests/sass/differential
tests_sass_differential_SOURCES = \
	tests/sass/assemble.c tests/sass/assemble.h tests/sass/body.c tests/sass/body.h \
	tests/sass/columns.c tests/sass/columns.h tests/sass/cubin.c tests/sass/cubin.h \
	tests/sass/differential.h tests/sass/draw.c \
	tests/sass/draw.h tests/sass/explained.c tests/sass/explained.h tests/sass/flow.c \
	tests/sass/forms.def tests/sass/grid.c tests/sass/grid.h tests/sass/held.c tests/sass/judge.c tests/sass/judge.h \
	tests/sass/kept.c tests/sass/known.c tests/sass/main.c tests/sass/pairs.c tests/sass/programs.c \
	tests/sass/real.c tests/sass/real.h tests/sass/trial.c tests/sass/trial.h tests/sass/vocabulary.c \
	tests/sass/vocabulary.h tests/model/letters.h tests/case_run.c $(case_sources)
suites += tests/sass.sh tests/sass-grid.sh tests/sass-real.sh
EXTRA_DIST += tests/pairs
EXTRA_DIST += tests/sass.sh tests/sass-grid.sh tests/sass-real.sh tests/sass/bench.sh \
	tests/sass/explained.tsv tests/sass/held.tsv tests/sass/known tests/sass/unsaid
tests/sass/known: ; # a folder, not what make would make of known.c

# PTXAS="PROGRAM..." for the table of versions.
bench-sass: tests/sass/differential$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) PTXAS='$(PTXAS)' bash $(srcdir)/tests/sass/bench.sh
.PHONY: bench-sass

# ---- what lint misses: tests/sleeps ----

every_check_program += tests/sleeps/sleeps
tests_sleeps_sleeps_SOURCES = \
	tests/sleeps/sleeps.c tests/sleeps/touched.c tests/sleeps/touched.h tests/sleeps/proxies.c \
	tests/sleeps/proxies.h tests/sleeps/sites.c \
	tests/sleeps/sites.h tests/model/sites.h tests/harness.c tests/harness.h

# FOLDERS="DIR...": kernels of others; its variables are those of tests/sleeps/table.sh.
FOLDERS = $(srcdir)/examples
bench-lint: tests/sleeps/sleeps$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/sleeps/table.sh $(FOLDERS)

# The tables of sources in doc/kernels.md; EVERY=N assembles one kernel in N, PTXAS is the ptxas.
bench-sources: ptxopt$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/bench/sources-table.sh $(FOLDERS)

.PHONY: bench-lint bench-sources
EXTRA_DIST += tests/sleeps/table.sh tests/sleeps/least

# ---- the verdicts of another verifier before and after: tests/sentry ----

suites += tests/sentry.sh
EXTRA_DIST += \
	tests/sentry.sh tests/sentry/cases.py tests/sentry/dress.py tests/sentry/examples.json tests/sentry/flat.py \
	tests/sentry/judge.py tests/sentry/kernels.py tests/sentry/run.py

# A larger run: SENTRY_KERNELS=N from SENTRY_SEED=N on, SENTRY_SITES=N; SENTRYWARD is the command.
bench-sentry: ptxopt$(EXEEXT) cases.stamp
	@$(AM_TESTS_ENVIRONMENT) SENTRY_ALL=1 SENTRY_KERNELS="$${SENTRY_KERNELS:-400}" SENTRY_SITES="$${SENTRY_SITES:-400}" SENTRY_EVERY="$${SENTRY_EVERY:-1}" \
	bash $(srcdir)/tests/sentry.sh | $(AWK) '{ print } /^not ok/ { bad = 1 } /^1\.\./ { whole = 1 } END { exit bad || !whole }'

.PHONY: bench-sentry

# ---- random bytes, and failing system calls: tests/fuzz ----

fuzz_targets = \
	tests/fuzz/engine.c tests/fuzz/fuzz.h tests/fuzz/parse.c tests/fuzz/text.c \
	tests/fuzz/verify.c tests/routes/same_view.c tests/routes/same_view.h
every_check_program += tests/fuzz/replay tests/fuzz/prefixes
tests_fuzz_replay_SOURCES = tests/fuzz/replay.c $(fuzz_targets) tests/harness.c tests/harness.h
tests_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_fuzz_prefixes_SOURCES = tests/fuzz/prefixes.c tests/harness.c tests/harness.h
suites += tests/fuzz.sh tests/faults.sh

# ptxopt for a library that is loaded before the others, which a static program cannot.
every_check_program += tests/fuzz/shared
tests_fuzz_shared_SOURCES = $(ptxopt_SOURCES)
tests_fuzz_shared_LDADD = $(ptxopt_LDADD)

# --wrap replaces malloc and its family, and the checker, so that they can fail.
every_check_program += tests/fuzz/calls
suites += tests/fuzz/calls
tests_fuzz_calls_SOURCES = \
	tests/fuzz/calls.c tests/fuzz/calls.h tests/fuzz/calls_list.c tests/harness.c tests/harness.h
tests_fuzz_calls_CFLAGS = $(AM_CFLAGS) -pthread
tests_fuzz_calls_LDFLAGS = $(AM_LDFLAGS) -pthread -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=check_run
tests_fuzz_calls_LDADD = libptxopt_report.la libptxopt_internal.la $(JANSSON_LIBS)
EXTRA_DIST += tests/fuzz.sh tests/faults.sh tests/fuzz/README.md tests/fuzz/run.sh tests/fuzz/unpack.sh \
	tests/fuzz/entry.c tests/fuzz/mutate.c tests/fuzz/faults.c tests/fuzz/ptx.dict \
	tests/fuzz/kernel.ptx tests/fuzz/calls.ptx tests/fuzz/seeds tests/fuzz/regressions

# FUZZ_SECONDS=600 in total, FUZZ_TARGETS="engine verify parse"; it compiles with clang, and does not use this build's objects.
fuzz: config.h cases.stamp
	@$(AM_TESTS_ENVIRONMENT) FUZZ_LIBS='$(TREE_SITTER_LIBS)'; export FUZZ_LIBS; \
	bash $(srcdir)/tests/fuzz/run.sh fuzz.dir $(FUZZ_TARGETS)

mostlyclean-local:
	rm -rf fuzz.dir cases.dir cases.stamp
	rm -f $(every_log) $(every_log:.log=.trs)

.PHONY: fuzz

# ---- the grammar as a separate product: tests/grammar ----

every_check_program += tests/grammar/captures tests/grammar/parse tests/grammar/trees
tests_grammar_captures_SOURCES = tests/grammar/captures.c tests/grammar/text.h
tests_grammar_captures_LDADD = libtree_sitter_ptx.la $(TREE_SITTER_LIBS)
tests_grammar_parse_SOURCES = tests/grammar/parse.c tests/grammar/text.h
tests_grammar_parse_LDADD = libtree_sitter_ptx.la $(TREE_SITTER_LIBS)
tests_grammar_trees_SOURCES = tests/grammar/trees.c tests/grammar/text.h
grammar_scripts = \
	tests/grammar-headers.sh \
	tests/grammar-lenient.sh \
	tests/grammar-nvcc.sh \
	tests/grammar-queries.sh \
	tests/grammar-samples.sh \
	tests/grammar-speed.sh \
	tests/grammar-strict.sh \
	tests/grammar-trees.sh \
	tests/tree-sitter-bindings.sh \
	tests/tree-sitter-editors.sh \
	tests/tree-sitter-package.sh
suites += $(grammar_scripts)
EXTRA_DIST += \
	$(grammar_scripts) tests/grammar/bindings tests/grammar/editors tests/grammar/instructions.txt \
	tests/grammar/nvcc tests/grammar/prelude.txt \
	tests/grammar/queries tests/grammar/speed.tsv tests/grammar/strict.tsv

# ---- the service: tests/unit/test_{server,batch,framing,…}.c without a socket, tests/http with one ----

if HAVE_SERVER
if HAVE_CMOCKA
service_tests = tests/unit/test_addresses tests/unit/test_batch tests/unit/test_framing tests/unit/test_queue \
	tests/unit/test_server tests/unit/test_timeouts
every_check_program += $(service_tests)
suites += $(service_tests)
tests_unit_test_addresses_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_addresses_LDADD = libptxoptd.la $(CMOCKA_LIBS)
tests_unit_test_batch_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_batch_LDADD = libptxoptd.la $(CMOCKA_LIBS)
tests_unit_test_framing_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_framing_LDADD = libptxoptd.la $(CMOCKA_LIBS)
tests_unit_test_queue_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_queue_LDADD = libptxoptd.la $(CMOCKA_LIBS)
tests_unit_test_server_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_server_LDADD = libptxoptd.la $(CMOCKA_LIBS)
tests_unit_test_timeouts_CPPFLAGS = $(libptxoptd_la_CPPFLAGS)
tests_unit_test_timeouts_LDADD = libptxoptd.la $(CMOCKA_LIBS)
endif
suites += tests/http.sh

# Figures, never a test: wrk against ptxoptd, and the same work in one process.
EXTRA_PROGRAMS += tests/http/inprocess
tests_http_inprocess_SOURCES = tests/http/inprocess.c
tests_http_inprocess_LDADD = libptxopt.la -lpthread
CLEANFILES += tests/http/inprocess$(EXEEXT)
bench-http: ptxoptd$(EXEEXT) tests/http/inprocess$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/http/bench.sh

# For a night: SOAK_SECONDS=3600, SOAK_LOG=FILE, SOAK_OPTIONS=--isolate, SIEGE_SECONDS=1800; one of them alone:
# SOAK_PARTS=siege.
soak-http: ptxoptd$(EXEEXT) ptxopt$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/tests/http.sh $${SOAK_PARTS:-soak siege} \
	| $(AWK) '{ print } /^not ok/ { bad = 1 } /^1\.\./ { whole = 1 } END { exit bad || !whole }'
endif
EXTRA_DIST += tests/http.sh tests/http/attacks.py tests/http/batches.py tests/http/bench.sh tests/http/caches.py tests/http/clock.c tests/http/clocks.py \
	tests/http/config.py tests/http/disk.py tests/http/document.py tests/http/balancers.py tests/http/image.py tests/http/restarts.py \
	tests/http/framing.py tests/http/harness.py tests/http/heads.py tests/http/hostile.py tests/http/isolation.py \
	tests/http/life.py tests/http/limits.py tests/http/origins.py tests/http/page.py tests/http/post.lua tests/http/program.py \
	tests/http/generated.py tests/http/observed.py tests/http/proxies.py tests/http/schemathesis.toml tests/http/tokens.py \
	tests/http/replicas.py tests/http/routes.py tests/http/run.py tests/http/shared.py tests/http/siege.py tests/http/soak.py \
	tests/http/traffic.py
.PHONY: bench-http soak-http

# ---- in pull requests and commits: action/ ----

suites += tests/action.sh tests/pre-commit.sh
EXTRA_DIST += tests/action.sh tests/pre-commit.sh tests/action

# ---- Bazel: examples/bazel ----

suites += tests/bazel.sh
EXTRA_DIST += tests/bazel.sh

# ---- the installed files: tests/install ----

suites += tests/install.sh
EXTRA_DIST += tests/install.sh tests/install

# ---- the language server: conversations, and editors ----

EXTRA_DIST += tests/lsp

# ---- reports, by their consumers ----

EXTRA_DIST += tests/report

# ---- the Python package: tests/python ----

suites += tests/python.sh
EXTRA_DIST += \
	tests/python.sh tests/python/cute_kernel.py tests/python/cutile_kernel.py tests/python/jax_kernel.py tests/python/mojo_kernel.mojo tests/python/run.py tests/python/session.py \
	tests/python/test_api.py tests/python/test_cute.py tests/python/test_cutile.py tests/python/test_doc.py tests/python/test_jax.py tests/python/test_layout.py tests/python/test_mojo.py tests/python/test_numba.py tests/python/test_nvrtc.py \
	tests/python/test_programs.py tests/python/test_pytest.py tests/python/test_threads.py tests/python/test_triton.py \
	tests/python/test_tilelang.py tests/python/test_types.py tests/python/texts.py \
	tests/python/tilelang_kernel.py tests/python/triton_kernel.py
