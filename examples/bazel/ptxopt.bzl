"""Assembles PTX through ptxopt-ptxas: one action, of declared files only, that any executor can run."""

def _toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        ptxopt_ptxas = ctx.executable.ptxopt_ptxas,
        ptxas = ctx.executable.ptxas,
    )]

_TOOL = {"executable": True, "allow_single_file": True, "cfg": "exec", "mandatory": True}

ptxopt_toolchain = rule(
    implementation = _toolchain_impl,
    attrs = {
        "ptxopt_ptxas": attr.label(doc = "ptxopt-ptxas of a release: static, so that a worker needs nothing.", **_TOOL),
        "ptxas": attr.label(doc = "NVIDIA's.", **_TOOL),
    },
)

def _cubin_impl(ctx):
    tools = ctx.toolchains["//:toolchain_type"]
    cubin = ctx.actions.declare_file(ctx.label.name + ".cubin")
    arguments = ctx.actions.args()
    arguments.add(tools.ptxas)
    arguments.add("-arch", ctx.attr.arch)
    arguments.add_all(ctx.attr.ptxas_options)
    arguments.add("-o", cubin)
    arguments.add(ctx.file.src)
    ctx.actions.run(
        executable = tools.ptxopt_ptxas,
        arguments = [arguments],
        inputs = [ctx.file.src],
        tools = [tools.ptxas],
        outputs = [cubin],
        # The flags are in the action's key. Time is not to decide what a cache keeps: the executor has a limit of its own.
        env = {"PTXOPT_FLAGS": " ".join(ctx.attr.ptxopt_flags), "PTXOPT_TIMEOUT": "86400"},
        mnemonic = "PtxoptAssemble",
        progress_message = "Assembling %s" % ctx.file.src.short_path,
    )
    return [DefaultInfo(files = depset([cubin]))]

cubin = rule(
    implementation = _cubin_impl,
    attrs = {
        "src": attr.label(allow_single_file = [".ptx"], mandatory = True),
        "arch": attr.string(mandatory = True, doc = "As sm_100a."),
        "ptxas_options": attr.string_list(),
        "ptxopt_flags": attr.string_list(doc = "As --no-assume=reads-commute."),
    },
    toolchains = ["//:toolchain_type"],
)
