"""optimize, verify, reports and errors."""

import copy
import gc
import pickle
import re
import time
import unittest

import ptxopt
import texts


class Optimize(unittest.TestCase):
    def test_examples(self):
        """api: every example has the expected output, and is verified"""
        for name in texts.examples():
            with self.subTest(name):
                before, expected = texts.example(name)
                result = ptxopt.optimize(before, name=name)
                self.assertEqual(result.text, expected)
                self.assertTrue(result.changed)
                self.assertEqual(result.stats.deleted, len(result.deleted))
                self.assertTrue(ptxopt.verify(before, result.text))

    def test_finding(self):
        """api: a finding has its instruction, place, rule and assumptions"""
        (finding,) = ptxopt.optimize(texts.TWO_WAITS).deleted
        self.assertEqual((finding.kind, finding.level), (ptxopt.Kind.DELETED, ptxopt.Level.REMARK))
        self.assertEqual((finding.code, finding.line, finding.witness_line), ("wait-idle", 11, 10))
        self.assertEqual(texts.TWO_WAITS[finding.start : finding.end], texts.WAIT.strip())
        self.assertEqual(finding.replacement, "")
        self.assertEqual(texts.TWO_WAITS[finding.replaced_start : finding.replaced_end], texts.WAIT.rstrip("\n"))
        self.assertEqual(finding.assumptions, ("sync-is-no-barrier",))
        self.assertIn(ptxopt.Step(11, "removed", None), finding.steps)
        (kept,) = ptxopt.optimize(texts.TWO_WAITS).kept
        self.assertEqual((kept.line, kept.reason, kept.witness_line, kept.replacement), (10, "exit", 13, None))
        self.assertTrue(any(decline.rule == "wait-covered" for decline in kept.declines))

    def test_a_comment_keeps_what_it_stands_beside(self):
        text = texts.TWO_WAITS.replace(texts.WAIT, texts.WAIT.replace("\n", " // ptxopt: keep -- it is ours\n"))
        result = ptxopt.optimize(text)
        self.assertEqual((result.text, result.deleted), (text, ()))
        self.assertEqual([(one.reason, one.justification) for one in result.kept], [("kept-by-comment", "it is ours")] * 2)
        self.assertIn("line 11", result.kept[1].message)
        moved = text.replace(texts.WAIT.rstrip(), "").replace("\tret", "\t// ptxopt: keep\n\tret")
        self.assertIn("unused-keep", [one.code for one in ptxopt.optimize(moved + "// tcgen05\n").findings])

    def test_lint_tells_what_is_missing_and_deletes_nothing(self):
        result = ptxopt.lint(texts.WRONG_WAIT, name="k.ptx")
        (hazard,) = result.hazards
        self.assertEqual((hazard.kind, hazard.level, hazard.line), (ptxopt.Kind.HAZARD, ptxopt.Level.WARNING, 10))
        self.assertIn(hazard.code, [code.id for code in ptxopt.lint_codes()])
        self.assertTrue(hazard.sentence and hazard.risk and hazard.fix and hazard.steps)
        self.assertEqual((result.text, result.deleted, result.stats.linted), (texts.WRONG_WAIT, (), True))
        self.assertEqual(repr(result), "<ptxopt.Result of k.ptx: 1 hazards>")
        self.assertIn('"type": "lint"', result.report("json"))
        self.assertEqual(ptxopt.lint(texts.WRONG_WAIT, level="error").hazards, ())
        self.assertEqual(ptxopt.optimize(texts.WRONG_WAIT).hazards, ())

    def test_lint_inserts_what_mends_a_finding_when_it_is_asked_to(self):
        result = ptxopt.lint(texts.WRONG_WAIT, fix=True)
        (hazard,) = result.hazards
        (line,) = hazard.insertions
        self.assertEqual((line.line, line.text, hazard.not_fixed), (11, texts.WAIT, ""))
        before = texts.WRONG_WAIT.encode()
        self.assertEqual(result.text.encode(), before[: line.at] + line.text.encode() + before[line.at :])
        self.assertEqual(ptxopt.lint(result.text, fix=True).hazards, ())
        (again,) = ptxopt.lint(texts.WRONG_WAIT).hazards
        self.assertEqual((again.insertions, again.not_fixed), ((), ""))
        (left,) = ptxopt.lint(texts.WRONG_WAIT.replace("\ttcgen05.wait::st", "\t// ptxopt: keep-next\n\ttcgen05.wait::st")
                              .replace("wait::st.sync.aligned;", "wait::st.sync.aligned; ret;"), fix=True).hazards
        self.assertEqual((left.insertions, bool(left.not_fixed)), ((), True))

    def test_what_is_accepted_is_told_apart(self):
        (hazard,) = ptxopt.lint(texts.WRONG_WAIT).hazards
        accepted = ptxopt.lint(texts.WRONG_WAIT, accept=[hazard.id], level="note")
        self.assertEqual(accepted.hazards, ())
        self.assertEqual([one.reason for one in accepted.findings], ["baseline"])
        commented = ptxopt.lint(texts.WRONG_WAIT.replace("wait::st.sync.aligned;", "wait::st.sync.aligned; // ptxopt: ignore why"))
        self.assertEqual([(one.kind, one.justification) for one in commented.findings], [(ptxopt.Kind.SUPPRESSED, "why")])
        with self.assertRaises(ptxopt.OptionError):
            ptxopt.lint(texts.WRONG_WAIT, level="remark")
        with self.assertRaises(ptxopt.OptionError):
            ptxopt.lint(texts.WRONG_WAIT, accept=["1"])

    def test_origins(self):
        """api: a finding knows its line of CUDA"""
        result = ptxopt.optimize(texts.example("gemm-lineinfo")[0])
        for one in result.deleted:
            inner, outer = one.origins[0], one.call_site
            self.assertTrue(inner.file.endswith(("/common.cuh", "/gemm-lineinfo.cu")) and inner.line > 0)
            self.assertTrue(outer.file.endswith("/gemm-lineinfo.cu") and outer.line > 0)

    def test_choice(self):
        """api: rules, assumptions, only and skip choose what is removed"""
        text = texts.example("gemm-1cta")[0]
        whole = ptxopt.optimize(text).deleted
        first = whole[0].id
        self.assertEqual([one.id for one in ptxopt.optimize(text, only=[first]).deleted], [first])
        self.assertEqual(len(ptxopt.optimize(text, skip=[first]).deleted), len(whole) - 1)
        self.assertEqual(ptxopt.optimize(text, rules=[]).text, text)
        some = ptxopt.optimize(text, rules=["wait-idle", "wait-covered"]).deleted
        self.assertEqual({one.code for one in some} - {"wait-idle", "wait-covered"}, set())
        fewer = ptxopt.optimize(text, no_assume=["register-dependency"]).deleted
        self.assertLess(len(fewer), len(whole))
        text = texts.example("attention")[0]
        whole, more = ptxopt.optimize(text), ptxopt.optimize(text, assume=["isa-9.4-pairs"])
        self.assertGreater(len(more.deleted), len(whole.deleted))
        self.assertEqual(len(ptxopt.optimize(text, isa="9.4").deleted), len(more.deleted))

    def test_style(self):
        """api: the style decides what is left of a line"""
        text = texts.TWO_WAITS
        self.assertEqual(len(ptxopt.optimize(text).text.splitlines()), len(text.splitlines()))
        self.assertIn("/* ptxopt", ptxopt.optimize(text, style="annotate").text)
        self.assertEqual(len(ptxopt.optimize(text, style="squeeze").text.splitlines()), len(text.splitlines()) - 1)

    def test_bytes(self):
        """api: any bytes are returned unchanged"""
        odd = texts.TWO_WAITS.encode().replace(b"\tret;", b"\tret; // \xff\xfe gr\xc3\xb6\xc3\x9fer")
        result = ptxopt.optimize(odd)
        self.assertEqual(result.output, odd.replace(texts.WAIT.encode() * 2, texts.WAIT.encode() + b"\n"))
        self.assertEqual(ptxopt.optimize(result.text).output, result.output)
        self.assertEqual(ptxopt.optimize(bytearray(odd)).output, result.output)
        unread = ".version 9.0 \0 no more PTX {"
        self.assertEqual(ptxopt.optimize(unread).text, unread)

    def test_lifetime(self):
        """api: a result stays valid after its inputs are freed"""
        result = ptxopt.optimize("".join([texts.TWO_WAITS]), name="".join(["ker", "nel"]))
        gc.collect()
        scattered = [bytes(1000) for _ in range(1000)]
        self.assertIn("kernel", result.report("text"))
        self.assertEqual((len(result.findings), len(scattered)), (2, 1000))

    def test_copy(self):
        """api: a result cannot be copied, because its memory is freed once; its findings can"""
        result = ptxopt.optimize(texts.TWO_WAITS)
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaises(TypeError):
                copied(result)
        self.assertEqual(pickle.loads(pickle.dumps(result.findings)), result.findings)

    def test_certificate(self):
        """api: the certificate is written on request"""
        self.assertEqual(ptxopt.optimize(texts.TWO_WAITS).certificate, b"")
        result = ptxopt.optimize(texts.TWO_WAITS, certificate=True)
        self.assertIn(b"rule wait-idle", result.certificate)
        verification = ptxopt.verify(texts.TWO_WAITS, result.text, certificate=True)
        self.assertEqual(verification.certificate.split()[0], result.certificate.split()[0])


class Verify(unittest.TestCase):
    def test_refused(self):
        """api: a removed wait that is needed is reported, with the path that shows it"""
        verification = ptxopt.verify(texts.TWO_WAITS, texts.TWO_WAITS.replace(texts.WAIT, ""))
        self.assertEqual(verification.verdict, ptxopt.Verdict.REFUSED)
        self.assertFalse(verification)
        (checked,) = verification.functions
        self.assertEqual((checked.function, checked.verdict), ("kernel", ptxopt.Verdict.REFUSED))
        self.assertIn("tcgen05.wait::ld", checked.message)
        self.assertEqual((checked.path[-1], checked.deletions), (13, 2))

    def test_unknown_version(self):
        """api: for an unknown version what only 9.4 grants does not count, and both functions say so"""
        text = re.sub(r"(?m)^\.version .*", ".version 9.5", texts.example("attention")[0])
        less, more = ptxopt.optimize(text), ptxopt.optimize(text, isa="9.4")
        self.assertLess(len(less.deleted), len(more.deleted))
        (warning,) = (one for one in less.findings if one.kind is ptxopt.Kind.DIAGNOSTIC)
        self.assertEqual((warning.code, warning.level), ("unknown-version", ptxopt.Level.WARNING))
        refused = ptxopt.verify(text, more.text)
        self.assertEqual(refused.verdict, ptxopt.Verdict.REFUSED)
        self.assertEqual(refused.findings, (warning,))
        self.assertEqual(ptxopt.verify(text, less.text).findings, (warning,))
        proven = ptxopt.verify(text, more.text, isa="9.4")
        self.assertEqual((proven.verdict, proven.findings), (ptxopt.Verdict.PROVEN, ()))

    def test_other(self):
        """api: another text is never proven"""
        self.assertFalse(ptxopt.verify(texts.TWO_WAITS, texts.TWO_WAITS.replace("st.global", "st.shared")))
        self.assertFalse(ptxopt.verify("this is no PTX", "tcgen05"))
        self.assertTrue(ptxopt.verify(texts.TWO_WAITS, texts.TWO_WAITS))


class Reports(unittest.TestCase):
    def test_formats(self):
        """api: reports are those of examples/review"""
        path = "examples/generated-style/generated-style.ptx"
        result = ptxopt.optimize((texts.SOURCE / path).read_bytes(), name=path)
        files = {"diff": "kernel.diff", "sarif": "kernel.sarif", "markdown": "markdown.md", "gitlab": "gitlab.json"}
        for format, file in files.items():
            self.assertEqual(result.report(format), (texts.EXAMPLES / "review" / file).read_text(), format)
        for format in ptxopt.report_formats():
            self.assertTrue(result.report(format), format)
        self.assertIn("other.ptx", result.report("json", path="other.ptx"))

    def test_notebook(self):
        """api: a notebook shows the HTML report in a frame, and nothing of it outside"""
        result = ptxopt.optimize(texts.TWO_WAITS, name='a"b<c>.ptx')
        shown = result._repr_html_()
        self.assertTrue(shown.startswith("<iframe ") and shown.endswith('"></iframe>'))
        self.assertEqual(shown.count("<"), 2)
        self.assertEqual(shown.count('"'), 6)

    def test_catalog(self):
        """api: rules and assumptions are listed"""
        self.assertIn("wait-covered", [rule.id for rule in ptxopt.rules()])
        self.assertIn(("exit-silent", False), [(one.name, one.on_by_default) for one in ptxopt.assumptions()])


class Errors(unittest.TestCase):
    def raised(self, error, **arguments):
        with self.assertRaises(error) as caught:
            ptxopt.optimize(arguments.pop("text", texts.TWO_WAITS), **arguments)
        self.assertIsInstance(caught.exception, ptxopt.PtxoptError)
        return caught.exception

    def test_bad_input(self):
        """errors: for a text that is not PTX the error has the place"""
        error = self.raised(ptxopt.BadInputError, text=".version 9.0\nthis is no tcgen05", name="k.ptx")
        self.assertEqual((error.file, error.line, error.column, error.code), ("k.ptx", 2, 8, "syntax"))
        self.assertTrue(str(error).startswith("k.ptx:2:8: error: "), str(error))
        self.assertIsInstance(error, ValueError)
        for text in ("", "this is no PTX", "\ufeff" + texts.TWO_WAITS):
            self.assertEqual(self.raised(ptxopt.BadInputError, text=text).code, "not-ptx")
        self.assertEqual(self.raised(ptxopt.BadInputError, text=texts.TWO_WAITS.encode("utf-16")).code, "utf-16")

    def test_limits(self):
        """errors: a limit is a different error from a text that is not PTX"""
        self.assertEqual(self.raised(ptxopt.LimitError, max_memory=1000).code, "too-much-memory")
        self.assertEqual(self.raised(ptxopt.LimitError, max_input=100).code, "too-large")
        with self.assertRaises(ptxopt.LimitError):
            ptxopt.verify(texts.TWO_WAITS, texts.TWO_WAITS, max_memory=10)

    def test_options(self):
        """errors: an unknown argument is refused, and the error names it"""
        for arguments in (
            {"isa": "1.0"}, {"assume": ["none-such"]}, {"no_assume": ["none-such"]}, {"rules": ["none-such"]},
            {"only": ["none-such"]}, {"skip": ["none-such"]}, {"style": "none-such"}, {"parse": "none-such"},
            {"max_input": 2**31}, {"max_input": 2**64 + 100}, {"max_memory": -1}, {"threads": 0}, {"threads": 65},
            {"threads": 2**32 + 1}, {"assume": "exit-silent"},
        ):  # fmt: skip
            (name,) = arguments
            self.assertIn(name, str(self.raised(ptxopt.OptionError, **arguments)))
        with self.assertRaises(ptxopt.OptionError):
            ptxopt.optimize(texts.TWO_WAITS).report("none-such")

    def test_cancel(self):
        """errors: a call is cancelled by a callback, by time, and by an exception of the callback"""
        text = texts.large(200)
        self.raised(ptxopt.CancelledError, text=text, cancelled=lambda: True)
        start = time.monotonic()
        self.assertEqual(self.raised(ptxopt.CancelledError, text=text, timeout=0.001).code, "cancelled")
        self.assertLess(time.monotonic() - start, 20)

        def interrupted():
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            ptxopt.optimize(text, cancelled=interrupted)
        with self.assertRaises(ptxopt.CancelledError):
            ptxopt.verify(text, ptxopt.optimize(text).text, cancelled=lambda: True)
