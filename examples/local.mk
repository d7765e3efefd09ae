# Kernels with their expected output; tests/examples.sh runs each.

EXTRA_DIST += \
	examples/README.md examples/build.sh examples/common.cuh examples/demo.sh \
	examples/attention \
	examples/bazel \
	examples/gemm-1cta \
	examples/gemm-2cta \
	examples/gemm-block-scaled \
	examples/gemm-lineinfo \
	examples/generated-style \
	examples/lint-in-ci \
	examples/review
