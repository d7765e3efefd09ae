# The library, with one variable for each layer (lowest first; tests/lint/lint.sh compares files and
# lists), and the programs that use it.

base_sources = \
	src/base/arena.c src/base/arena.h src/base/buf.c src/base/buf.h src/base/bug.c src/base/bug.h \
	src/base/child.c src/base/child.h src/base/clock.h src/base/effort.c src/base/effort.h src/base/file.c src/base/file.h \
	src/base/intern.c src/base/intern.h src/base/intervals.c src/base/intervals.h src/base/mem.c src/base/mem.h src/base/shared_set.c src/base/shared_set.h src/base/sixteen.h src/base/sorted.h src/base/str.h src/base/team.c src/base/team.h \
	src/base/vec.h src/base/word.h src/base/work.c src/base/work.h src/base/wrap.c src/base/wrap.h
text_sources = \
	src/text/comment.c src/text/comment.h src/text/diag.c src/text/diag.h src/text/directive.c src/text/directive.h \
	src/text/edit.c src/text/edit.h src/text/insert.c src/text/insert.h src/text/mention.c \
	src/text/mention.h src/text/opening.c src/text/opening.h src/text/source.c src/text/source.h src/text/span.h
syntax_sources = \
	src/syntax/accept.c src/syntax/accept.h src/syntax/cst.c src/syntax/cst.h \
	src/syntax/explain.c src/syntax/explain.h src/syntax/head.c src/syntax/head.h src/syntax/keyword.c src/syntax/keyword.h src/syntax/known_shapes.c \
	src/syntax/known_shapes.h src/syntax/marker.c src/syntax/marker.h src/syntax/numeral.c src/syntax/numeral.h src/syntax/parts.c src/syntax/parts.h \
	src/syntax/reader.c src/syntax/reader.h src/syntax/scan.c src/syntax/scan.h \
	src/syntax/section.c src/syntax/section.h \
	src/syntax/fold.c src/syntax/fold.h src/syntax/shape.c src/syntax/shape.h src/syntax/shape_reader.c \
	src/syntax/shape_reader.h src/syntax/statement.h src/syntax/strict.c src/syntax/strict.h \
	src/syntax/strict_declaration.c src/syntax/strict_module.c src/syntax/strict_operand.c src/syntax/strict_rule.c src/syntax/strict_rule.h \
	src/syntax/strict_word.c src/syntax/strict_word.h src/syntax/token.c src/syntax/token.h \
	src/syntax/tree.c src/syntax/tree.h src/syntax/tree_reader.c src/syntax/tree_reader.h src/syntax/version.h
ptx_sources = \
	src/ptx/names.c src/ptx/names.h src/ptx/digits.c src/ptx/digits.h src/ptx/opcode.c src/ptx/opcode.h src/ptx/opcode_table.c src/ptx/stored.c src/ptx/stored.h \
	src/ptx/target.c src/ptx/target.h src/ptx/view.c src/ptx/view.h src/ptx/view_body.c src/ptx/view_body.h src/ptx/view_print.c
flow_sources = \
	src/flow/agree.c src/flow/agree.h \
	src/flow/unfold.c src/flow/unfold.h \
	src/flow/callees.c src/flow/callees.h \
	src/flow/expand.c src/flow/expand.h \
	src/flow/cfg.c src/flow/cfg.h src/flow/dominators.c src/flow/dominators.h \
	src/flow/components.c src/flow/components.h \
	src/flow/behind.c src/flow/behind.h \
	src/flow/loops.c src/flow/loops.h src/flow/rounds.c src/flow/rounds.h \
	src/flow/webs.c src/flow/webs.h
value_sources = \
	src/value/barriers.c src/value/barriers.h src/value/columns.c src/value/columns.h src/value/cluster_use.c src/value/cluster_use.h src/value/compute.c src/value/compute.h \
	src/value/condition_set.h src/value/condition_pairs.c src/value/condition_pairs.h \
	src/value/conditions.c src/value/conditions.h src/value/constants.c src/value/constants.h \
	src/value/expr.c src/value/expr.h src/value/instruction.c src/value/instruction.h \
	src/value/lane_masks.c src/value/lane_masks.h src/value/lanes.c src/value/lanes.h src/value/numbers.c src/value/numbers.h \
	src/value/print.c src/value/print.h src/value/smem.c src/value/smem.h src/value/spelled.c src/value/spelled.h \
	src/value/subject.c src/value/subject.h \
	src/value/tmem.c src/value/tmem.h src/value/values.c src/value/values.h
order_sources = \
	src/order/analysis.c src/order/analysis.h src/order/apart.c src/order/apart.h src/order/assume.c src/order/assume.h \
	src/order/carried.c src/order/carried.h \
	src/order/cover.c src/order/cover.h src/order/hold.c src/order/hold.h src/order/loss.c src/order/loss.h \
	src/order/outstanding.c src/order/outstanding.h src/order/pair.c src/order/pair.h src/order/reach.c src/order/reach.h src/order/reasons.h \
	src/order/proxy.c src/order/proxy.h src/order/received.c src/order/received.h \
	src/order/pressure.c src/order/pressure.h src/order/registers.c src/order/registers.h \
	src/order/scan.c src/order/scan.h src/order/tracked.c src/order/tracked.h \
	src/order/verdict.c src/order/verdict.h src/order/waits.c src/order/waits.h \
	src/order/watch.c src/order/watch.h src/order/window.c src/order/window.h
rules_sources = \
	src/rules/after_idle.c src/rules/after_overtaken.c src/rules/before_commit.c \
	src/rules/before_idle.c src/rules/before_overtaken.c src/rules/commit_merge.c \
	src/rules/pair_completion.c src/rules/pair_fence.c src/rules/proxy_idle.c \
	src/rules/proxy_narrow.c src/rules/proxy_overtaken.c \
	src/rules/rule.c src/rules/rule.h src/rules/table.c src/rules/wait_covered.c src/rules/wait_idle.c
lint_sources = \
	src/lint/alloc_protocol.c \
	src/lint/arrival_barriers.c src/lint/arrival_bytes.c src/lint/arrival_cluster.c \
	src/lint/arrival_count.c src/lint/arrival_tensor.c src/lint/arrival_uses.c \
	src/lint/arrivals.c src/lint/arrivals.h \
	src/lint/arrays.c src/lint/arrays.h \
	src/lint/cluster_idle.c src/lint/cluster_idle.h src/lint/cluster_lifetime.c \
	src/lint/cluster_rank.c src/lint/cluster_rank.h \
	src/lint/first_round.c src/lint/first_round.h \
	src/lint/codes.c src/lint/codes.h \
	src/lint/arrive_for_commit.c src/lint/arrive_for_commit.h \
	src/lint/block_warps.c src/lint/block_warps.h \
	src/lint/bulk_peer_source.c src/lint/bulk_peer_source.h \
	src/lint/bulk_rounds.c src/lint/bulk_rounds.h \
	src/lint/bulk_slot.c src/lint/bulk_slot.h \
	src/lint/bulk_writes.c src/lint/bulk_writes.h \
	src/lint/bulk_source_reused.c \
	src/lint/cancel_query.c src/lint/cancel_query.h \
	src/lint/commit_early.c src/lint/commit_early.h \
	src/lint/commit_wait.c src/lint/commit_wait.h \
	src/lint/completion_readers.c src/lint/completion_readers.h \
	src/lint/completion_tail.c src/lint/completion_tail.h \
	src/lint/completion_untracked.c \
	src/lint/conflict_unordered.c \
	src/lint/cure.c src/lint/cure.h \
	src/lint/dealloc_told.c src/lint/dealloc_told.h src/lint/dealloc_too_early.c \
	src/lint/dealloc_unseen.c src/lint/dealloc_unseen.h \
	src/lint/dependency_wait_missing.c \
	src/lint/dependents.c src/lint/dependents.h \
	src/lint/divergent_aligned.c \
	src/lint/fence_after_barrier.c src/lint/fence_after_barrier.h \
	src/lint/fence_after_missing.c \
	src/lint/fence_before_missing.c \
	src/lint/global_flags.c src/lint/global_flags.h src/lint/global_root.c src/lint/global_root.h \
	src/lint/guard_reach.c src/lint/guard_reach.h \
	src/lint/groups_overlap.c src/lint/groups_overlap.h \
	src/lint/handover.c src/lint/handover.h src/lint/handover_lists.c \
	src/lint/handover_set.c src/lint/handover_set.h \
	src/lint/hazards.c \
	src/lint/lint.h \
	src/lint/mbarriers.c src/lint/mbarriers.h \
	src/lint/mma_shape.c src/lint/mma_shape.h \
	src/lint/meet.c src/lint/meet.h \
	src/lint/interpret.c src/lint/interpret.h \
	src/lint/lane_divergence.c src/lint/lane_divergence.h \
	src/lint/observers.c src/lint/observers.h \
	src/lint/op_neighbours.c src/lint/op_neighbours.h src/lint/otherwise.c src/lint/otherwise.h \
	src/lint/own_arrivals.c src/lint/own_arrivals.h \
	src/lint/pair_operands.c src/lint/pair_operands.h \
	src/lint/pair_orders.c src/lint/pair_orders.h \
	src/lint/parity_fixed.c src/lint/parity_fixed.h \
	src/lint/path_condition.c src/lint/path_condition.h \
	src/lint/peer.c src/lint/peer.h \
	src/lint/phase_reuse.c \
	src/lint/phase_skips.c src/lint/phase_skips.h \
	src/lint/proxy_fence_flag.c src/lint/proxy_fence_flag.h \
	src/lint/proxy_fence_global.c src/lint/proxy_fence_global.h \
	src/lint/proxy_fence_map.c src/lint/proxy_fence_map.h \
	src/lint/proxy_fence_missing.c src/lint/proxy_fence_peer.c src/lint/proxy_fence_peer.h \
	src/lint/proxy_kinds.c src/lint/proxy_kinds.h \
	src/lint/published_bulk.c src/lint/published_bulk.h \
	src/lint/published.c src/lint/published.h \
	src/lint/published_incomplete.c \
	src/lint/published_load.c src/lint/published_load.h \
	src/lint/published_store.c src/lint/published_store.h \
	src/lint/readers.c src/lint/readers.h \
	src/lint/decisions.c src/lint/decisions.h \
	src/lint/data_race.c src/lint/execution.c src/lint/execution.h src/lint/execution_order.c \
	src/lint/late_operand.c src/lint/late_operand.h \
	src/lint/late_wait.c src/lint/late_wait.h \
	src/lint/refill_unwaited.c src/lint/refill_unwaited.h \
	src/lint/released_before_read.c \
	src/lint/remote_form.c \
	src/lint/remote_scope.c src/lint/remote_scope.h \
	src/lint/released_flag.c src/lint/released_flag.h src/lint/released_for_others.c \
	src/lint/relevance.c src/lint/relevance.h \
	src/lint/releases.c src/lint/releases.h \
	src/lint/renewals.c src/lint/renewals.h \
	src/lint/ring_ends.c src/lint/ring_ends.h \
	src/lint/ring_rounds.c src/lint/ring_rounds.h \
	src/lint/root_reach.c src/lint/root_reach.h \
	src/lint/round_late.c src/lint/round_late.h \
	src/lint/round_loop.c src/lint/round_loop.h \
	src/lint/rounds_behind.c src/lint/rounds_behind.h \
	src/lint/run.c src/lint/run.h \
	src/lint/signal_unwaited.c src/lint/signal_unwaited.h \
	src/lint/sketch.c src/lint/sketch.h \
	src/lint/slots_overlap.c src/lint/slots_overlap.h \
	src/lint/smem_meetings.c src/lint/smem_meetings.h \
	src/lint/smem_origin.c src/lint/smem_origin.h src/lint/smem_place.c src/lint/smem_place.h \
	src/lint/smem_stage.c src/lint/smem_stage.h \
	src/lint/tells.c src/lint/tells.h src/lint/tensormap_reused.c src/lint/tensormap_reused.h \
	src/lint/told.c src/lint/told.h \
	src/lint/waits_for_nothing.c \
	src/lint/unwaited.c src/lint/unwaited.h \
	src/lint/wait_cycle.c src/lint/wait_cycle.h \
	src/lint/wait_parity.c src/lint/wait_parity.h \
	src/lint/walk.c src/lint/walk.h \
	src/lint/walk_stops.c src/lint/walk_stops.h \
	src/lint/walk_visits.c src/lint/walk_visits.h \
	src/lint/warpgroup_registers.c src/lint/warpgroup_registers.h
check_sources = \
	src/check/check.h \
	src/check/read/diff.c src/check/read/diff.h src/check/read/outline.c \
	src/check/read/module.c \
	src/check/read/module.h \
	src/check/read/outline.h src/check/read/scan.h src/check/read/statement.c \
	src/check/read/statement.h src/check/read/token.c src/check/read/token.h \
	src/check/model/split.c src/check/model/split.h \
	src/check/model/compare.c src/check/model/compare.h \
	src/check/model/guards.c src/check/model/guards.h \
	src/check/model/assume.c src/check/model/assume.h src/check/model/body.c \
	src/check/model/body.h src/check/model/connect.c src/check/model/connect.h \
	src/check/model/call.c \
	src/check/model/columns.c src/check/model/columns.h \
	src/check/model/origin.c src/check/model/origin.h \
	src/check/model/call.h \
	src/check/model/called.c \
	src/check/model/carried.c \
	src/check/model/carried.h \
	src/check/model/called.h \
	src/check/model/directive.c src/check/model/directive.h src/check/model/effect.c \
	src/check/model/effect.h src/check/model/event.h src/check/model/flow.c src/check/model/flow.h \
	src/check/model/hazard.c src/check/model/hazard.h src/check/model/held.c src/check/model/held.h src/check/model/instruction.c \
	src/check/model/instruction.h src/check/model/lower.c src/check/model/lower.h \
	src/check/model/meant.c src/check/model/meant.h src/check/model/opcode.c \
	src/check/model/opcode.h src/check/model/operand.c src/check/model/operand.h \
	src/check/model/pairing.c src/check/model/pairing.h \
	src/check/model/program.c src/check/model/program.h src/check/model/proxy.c \
	src/check/model/proxy.h src/check/model/scope.c src/check/model/scope.h \
	src/check/model/track.c src/check/model/track.h src/check/model/transfer.c \
	src/check/model/causal.c src/check/model/causal.h src/check/model/word.h \
	src/check/model/touch.c src/check/model/touch.h src/check/model/value.c src/check/model/value.h \
	src/check/model/transfer.h \
	src/check/prove/certificate.c src/check/prove/certificate.h src/check/prove/check.c \
	src/check/prove/monitor.c src/check/prove/monitor.h src/check/prove/proof.c \
	src/check/prove/proof.h src/check/prove/report.c src/check/prove/report.h \
	src/check/prove/solution.c src/check/prove/solution.h src/check/prove/trace.h \
	src/check/prove/trace_fact.c src/check/prove/trace_fact.h \
	src/check/prove/trace_register.c src/check/prove/trace_register.h \
	src/check/prove/worklist.c src/check/prove/worklist.h
engine_sources = \
	src/engine/detach.c src/engine/detach.h src/engine/estimate.c src/engine/estimate.h \
	src/engine/dump.c src/engine/engine.c src/engine/engine.h src/engine/id.c src/engine/id.h \
	src/engine/inlined.c src/engine/inlined.h src/engine/keeps.c src/engine/keeps.h \
	src/engine/missing.c src/engine/missing.h \
	src/engine/obstacles.c src/engine/obstacles.h \
	src/engine/place.c src/engine/place.h \
	src/engine/grounds.c src/engine/grounds.h src/engine/plan.c src/engine/plan.h src/engine/stretch.c src/engine/stretch.h \
	src/engine/group.c src/engine/group.h \
	src/engine/wide.c src/engine/wide.h \
	src/engine/steps.c src/engine/steps.h
api_sources = \
	src/api/call.c src/api/call.h src/api/finding.c src/api/finding.h src/api/finding_parts.c src/api/finding_parts.h \
	src/api/hazards.c src/api/hazards.h src/api/mend.c src/api/mend.h src/api/options.c \
	src/api/options.h src/api/origin.c src/api/origin.h src/api/ptxopt.c src/api/ptxopt.h \
	src/api/result.c src/api/result.h src/api/sentence.c src/api/comments.c src/api/comments.h src/api/verification.c src/api/verification.h
report_sources = \
	src/report/anchor.c src/report/anchor.h src/report/brief.c src/report/brief.h src/report/clean.c src/report/clean.h src/report/compiled.c src/report/compiled.h src/report/cubin.c src/report/cubin.h src/report/diff.c src/report/fingerprint.c \
	src/report/details.c src/report/details.h src/report/fingerprint.h src/report/fixes.c src/report/fixes.h src/report/format.c src/report/format.h src/report/github.c src/report/groups.c src/report/groups.h src/report/heads.c src/report/heads.h \
	src/report/html.c src/report/html_code.c src/report/html_item.c src/report/html_kernel.c src/report/html_page.c src/report/html_sass.c src/report/html_parts.c src/report/html_parts.h src/report/html_rest.c src/report/isa.c \
	src/report/isa.h src/report/baseline.h src/report/context.c src/report/json_baseline.c src/report/json.c src/report/json.h src/report/json_gitlab.c src/report/json_insertions.c src/report/json_insertions.h \
	src/report/json_rdjson.c src/report/json_sarif.c \
	src/report/line_hash.c src/report/line_hash.h src/report/lines.c src/report/lines.h \
	src/report/listing.c src/report/machine.c src/report/machine.h src/report/markdown.c \
	src/report/measure.c src/report/measure.h src/report/model.c src/report/model.h src/report/occupancy.c src/report/occupancy.h src/report/origins.c src/report/origins.h \
	src/report/remarks.c src/report/sass.c src/report/sass.h src/report/sass_change.c \
	src/report/sass_change.h src/report/sass_print.c src/report/side_by_side.c \
	src/report/side_by_side.h src/report/svg.c src/report/text.c src/report/text.h \
	src/report/timeline.c src/report/timeline.h src/report/timeline_draw.c src/report/tool.c \
	src/report/tool.h src/report/witness.c src/report/witness.h src/report/words.c
lsp_sources = \
	src/lsp/actions.c src/lsp/actions.h src/lsp/beside.c src/lsp/beside.h src/lsp/diagnostics.c src/lsp/diagnostics.h \
	src/lsp/document.c src/lsp/document.h src/lsp/frame.c src/lsp/frame.h src/lsp/hover.c \
	src/lsp/hover.h src/lsp/inbox.c src/lsp/inbox.h src/lsp/lsp.c src/lsp/lsp.h src/lsp/methods.c \
	src/lsp/methods.h src/lsp/position.c src/lsp/position.h src/lsp/run.c src/lsp/run.h \
	src/lsp/session.c src/lsp/session.h src/lsp/settings.c src/lsp/settings.h src/lsp/sync.c src/lsp/sync.h

# The library with its internal names visible: for the programs and the tests.
noinst_LTLIBRARIES += libptxopt_internal.la
libptxopt_internal_la_SOURCES = \
	$(base_sources) $(text_sources) $(syntax_sources) $(ptx_sources) $(flow_sources) \
	$(value_sources) $(order_sources) $(rules_sources) $(lint_sources) $(check_sources) $(engine_sources) \
	$(api_sources)
libptxopt_internal_la_LIBADD = libtree_sitter_ptx.la $(TREE_SITTER_LIBS)

# The digest of the sources that decide an output: two builds with the same digest write the same output.
# It depends on contents only, not on the place and time of the build.
build_sources = \
	$(libptxopt_internal_la_SOURCES) $(report_sources) tree-sitter-ptx/src/parser.c \
	src/cli/apply.c src/cli/choose.c src/cli/limits.c src/cli/options.c src/cli/options.h src/cli/transform.c \
	src/wrapper/rewrite.c
src/api/ptxopt.lo src/check/verify.$(OBJEXT): src/base/build.h
src/base/build.h: $(build_sources)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && digest=`$(build_digest)` \
	&& printf '/* Made by make. */\n#define PTXOPT_BUILD "%s"\n' "$$digest" >$@.tmp && mv $@.tmp $@
# For tests/build.sh: of the sources below BUILD_OF.
BUILD_OF = $(srcdir)
build_digest = cd $(BUILD_OF) && cat $(build_sources) | sha256sum | cut -c 1-8
build-digest:
	@$(build_digest)
.PHONY: build-digest
CLEANFILES += src/base/build.h

# A separate library, because the checker's program needs no jansson; each user names the libraries that it needs.
noinst_LTLIBRARIES += libptxopt_report.la
libptxopt_report_la_SOURCES = $(report_sources)
libptxopt_report_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

# Only the program ptxopt has the language server.
noinst_LTLIBRARIES += libptxopt_lsp.la
libptxopt_lsp_la_SOURCES = $(lsp_sources)
libptxopt_lsp_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

# The same library for other programs. -version-info: see "Updating library version information" in
# libtool's manual before a release.
lib_LTLIBRARIES += libptxopt.la
include_HEADERS += src/api/ptxopt.h
libptxopt_la_SOURCES =
libptxopt_la_LIBADD = libptxopt_report.la libptxopt_internal.la $(JANSSON_LIBS)
libptxopt_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -export-symbols-regex '^ptxopt_'

# What the programs have in common besides the library.
command_sources = \
	src/cli/apply.c src/cli/apply.h src/cli/command.c src/cli/command.h src/cli/nearest.c src/cli/nearest.h src/cli/number.c \
	src/cli/number.h src/cli/options.c src/cli/options.h src/cli/output.c src/cli/output.h \
	src/cli/here.c src/cli/here.h src/cli/limits.c src/cli/limits.h src/cli/passage.c src/cli/passage.h src/cli/post.c \
	src/cli/post.h src/cli/remote.c src/cli/remote.h src/cli/reports.c src/cli/reports.h src/cli/relay.c src/cli/relay.h

bin_PROGRAMS += ptxopt ptxopt-verify ptxopt-ptxas
ptxopt_SOURCES = $(command_sources) \
	src/cli/baselines.c src/cli/baselines.h src/cli/bisect.c src/cli/bisect.h src/cli/built.c src/cli/built.h src/cli/choose.c src/cli/choose.h src/cli/explain.c src/cli/explain.h src/cli/input.c src/cli/input.h src/cli/inputs.c src/cli/inputs.h src/cli/jobs.c src/cli/jobs.h \
	src/cli/main.c src/cli/progress.c src/cli/progress.h src/cli/timed.c src/cli/timed.h src/cli/transform.c \
	src/cli/transform.h
ptxopt_LDADD = libptxopt_lsp.la libptxopt_report.la libptxopt_internal.la $(JANSSON_PROGRAM_LIBS)
ptxopt_LDFLAGS = $(AM_LDFLAGS) $(PROGRAM_LDFLAGS)
ptxopt_verify_SOURCES = src/check/verify.c
ptxopt_verify_LDADD = libptxopt_internal.la
ptxopt_verify_LDFLAGS = $(AM_LDFLAGS) $(PROGRAM_LDFLAGS)

ptxopt_ptxas_SOURCES = $(command_sources) \
	src/cli/choose.c src/cli/choose.h src/cli/timed.c src/cli/timed.h \
	src/wrapper/arguments.c src/wrapper/arguments.h src/wrapper/assemble.c src/wrapper/assemble.h \
	src/wrapper/fallbacks.c src/wrapper/fallbacks.h src/wrapper/flags.c src/wrapper/flags.h src/wrapper/json_record.c \
	src/wrapper/key.c src/wrapper/key.h src/wrapper/main.c \
	src/wrapper/ptxas_options.def src/wrapper/real.c src/wrapper/real.h src/wrapper/record.h \
	src/wrapper/rewrite.c src/wrapper/rewrite.h src/wrapper/shim.c src/wrapper/shim.h \
	src/wrapper/json_summary.c src/wrapper/summary.h \
	src/wrapper/supervise.c src/wrapper/supervise.h src/wrapper/text.c src/wrapper/text.h
ptxopt_ptxas_LDADD = libptxopt_report.la libptxopt_internal.la $(JANSSON_PROGRAM_LIBS)
ptxopt_ptxas_LDFLAGS = $(ptxopt_LDFLAGS)

# What ptxopt --server starts. It loads libcurl, which no static program can.
if WITH_REMOTE
pkglibexec_PROGRAMS += ptxopt-post
ptxopt_post_SOURCES = \
	src/cli/http.c src/cli/http.h src/cli/loaded.c src/cli/loaded.h src/cli/post.h src/cli/post_program.c src/cli/relay.c \
	src/cli/relay.h
ptxopt_post_LDADD = libptxopt_internal.la
endif

# The manual page and the completion are printed from the table of options.
noinst_PROGRAMS += docgen
docgen_SOURCES = \
	src/cli/completion.c src/cli/completion.h src/cli/completion_print.c src/cli/docgen.c \
	src/cli/explain.c src/cli/explain.h src/cli/nearest.c src/cli/nearest.h src/cli/options.c \
	src/cli/options.h
docgen_LDADD = $(ptxopt_LDADD)

# The table of shapes; an outdated one only costs time.
noinst_PROGRAMS += known_shapes_print
known_shapes_print_SOURCES = src/syntax/known_shapes_print.c
known_shapes_print_LDADD = libptxopt_internal.la
EXTRA_DIST += src/syntax/known_shapes.ptx

known-shapes: known_shapes_print$(EXEEXT)
	./known_shapes_print$(EXEEXT) <$(srcdir)/src/syntax/known_shapes.ptx >known_shapes.tmp
	mv known_shapes.tmp $(srcdir)/src/syntax/known_shapes.c

# The sections that are not generated from a table: for help2man's --include, and in the same form for ptxopt.1.
manual_sections = doc/man/ptxopt.man doc/man/ptxopt-ptxas.man doc/man/ptxopt-verify.man doc/man/ptxoptd.man
EXTRA_DIST += $(manual_sections)

nodist_man_MANS += ptxopt.1
ptxopt.1: docgen$(EXEEXT) doc/man/ptxopt.man
	$(AM_V_GEN){ ./docgen$(EXEEXT) man && sed 's/^\[\(.*\)\]$$/.SH \1/' $(srcdir)/doc/man/ptxopt.man; } >$@.tmp && mv $@.tmp $@

# The installed files have the names that the shells look for. The folder is the shell's.
nodist_bashcompletion_DATA = src/cli/completion/bash/ptxopt src/cli/completion/bash/ptxopt-ptxas \
	src/cli/completion/bash/ptxopt-verify
nodist_zshcompletion_DATA = src/cli/completion/zsh/_ptxopt src/cli/completion/zsh/_ptxopt-ptxas \
	src/cli/completion/zsh/_ptxopt-verify
nodist_fishcompletion_DATA = src/cli/completion/fish/ptxopt.fish src/cli/completion/fish/ptxopt-ptxas.fish \
	src/cli/completion/fish/ptxopt-verify.fish
print_completion = ./docgen$(EXEEXT) completion `basename $(@D)`
src/cli/completion/bash/ptxopt src/cli/completion/zsh/_ptxopt src/cli/completion/fish/ptxopt.fish: docgen$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(print_completion) ptxopt >$@.tmp && mv $@.tmp $@
src/cli/completion/bash/ptxopt-ptxas src/cli/completion/zsh/_ptxopt-ptxas \
src/cli/completion/fish/ptxopt-ptxas.fish: docgen$(EXEEXT) ptxopt-ptxas$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./ptxopt-ptxas$(EXEEXT) --help \
	| $(print_completion) ptxopt-ptxas >$@.tmp && mv $@.tmp $@
src/cli/completion/bash/ptxopt-verify src/cli/completion/zsh/_ptxopt-verify \
src/cli/completion/fish/ptxopt-verify.fish: docgen$(EXEEXT) ptxopt-verify$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./ptxopt-verify$(EXEEXT) --help \
	| $(print_completion) ptxopt-verify >$@.tmp && mv $@.tmp $@

CLEANFILES += \
	ptxopt.1 $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) $(nodist_fishcompletion_DATA)

if HAVE_HELP2MAN
nodist_man_MANS += ptxopt-verify.1
ptxopt-verify.1: ptxopt-verify$(EXEEXT) doc/man/ptxopt-verify.man
	$(AM_V_GEN)$(HELP2MAN) -N --version-string='$(VERSION)' -i $(srcdir)/doc/man/ptxopt-verify.man -o $@ \
	-n 'prove that an edit of PTX removed only redundant synchronisation' ./ptxopt-verify$(EXEEXT)
nodist_man_MANS += ptxopt-ptxas.1
ptxopt-ptxas.1: ptxopt-ptxas$(EXEEXT) doc/man/ptxopt-ptxas.man
	$(AM_V_GEN)$(HELP2MAN) -N --version-string='$(VERSION)' -i $(srcdir)/doc/man/ptxopt-ptxas.man -o $@ \
	-n 'optimize PTX with ptxopt, then run ptxas' ./ptxopt-ptxas$(EXEEXT)
CLEANFILES += ptxopt-verify.1 ptxopt-ptxas.1
endif

EXTRA_DIST += \
	src/README.md src/api/README.md src/base/README.md src/check/README.md src/cli/README.md \
	src/engine/README.md src/flow/README.md src/lint/README.md src/lsp/README.md src/order/README.md src/ptx/README.md \
	src/report/README.md src/rules/README.md src/syntax/README.md src/text/README.md src/value/README.md src/wrapper/README.md

# The schema of --report json, for its readers.
dist_pkgdata_DATA = src/report/report-2.schema.json
