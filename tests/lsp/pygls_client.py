"""pygls as a client: lsprotocol, which is generated from the metamodel of LSP, refuses messages that do not conform."""
import asyncio
import os

import client

try:
    from lsprotocol import types
    from pygls.lsp.client import BaseLanguageClient
except ImportError:
    types = None

URI = "file:///k.ptx"


def kernel():
    with open(os.path.join(client.SOURCE, "examples/gemm-1cta/gemm-1cta.ptx"), encoding="utf-8") as file:
        return file.read()


async def hold():
    """Opens, hovers, requests code actions, closes; returns the faults."""
    editor = BaseLanguageClient("test", "1")
    published, problems = asyncio.Queue(), []

    @editor.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def publish(params):
        published.put_nowait(params)

    editor.report_server_error = lambda error, source: problems.append(f"{source}: {error!r}")
    await editor.start_io(client.PTXOPT, "lsp")
    text_document = types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
        code_action=types.CodeActionClientCapabilities(
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                code_action_kind=types.ClientCodeActionKindOptions(value_set=[types.CodeActionKind.QuickFix]))))
    await editor.initialize_async(types.InitializeParams(
        capabilities=types.ClientCapabilities(text_document=text_document), initialization_options={"isa": "9.0"}))
    editor.initialized(types.InitializedParams())
    editor.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(uri=URI, language_id="ptx", version=3, text=kernel())))
    told = await published.get()
    if told.version != 3 or len(told.diagnostics) != 15:
        problems.append(f"version {told.version}, {len(told.diagnostics)} diagnostics, expected 3 and 15")
    place, named = told.diagnostics[0].range, types.TextDocumentIdentifier(URI)
    hover = await editor.text_document_hover_async(types.HoverParams(named, place.start))
    if hover.range != place or "removed" not in hover.contents.value:
        problems.append(f"hover {hover}")
    actions = await editor.text_document_code_action_async(types.CodeActionParams(
        named, place, types.CodeActionContext(diagnostics=told.diagnostics[:1])))
    if [action.kind for action in actions] != ["quickfix", "source.fixAll.ptxopt"]:
        problems.append(f"actions {actions}")
    if actions[0].diagnostics != told.diagnostics[:1]:
        problems.append(f"the quick fix is of {actions[0].diagnostics}")
    editor.text_document_did_close(types.DidCloseTextDocumentParams(named))
    if (await published.get()).diagnostics:
        problems.append("there are diagnostics of what is closed")
    await editor.shutdown_async(None)
    editor.exit(None)
    status = await asyncio.wait_for(editor._server.wait(), client.PATIENCE)
    return problems + ([f"status {status}"] if status else [])


def main():
    name = "pygls: every message fits the metamodel"
    if not client.chosen("pygls_client"):
        return
    if not types:
        client.skip(name, "no pygls here")
        return
    client.verdict(name, asyncio.run(asyncio.wait_for(hold(), client.PATIENCE)))
