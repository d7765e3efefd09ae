# The files of the GitHub Action and of other CI; nothing of them is built or installed.

EXTRA_DIST += action.yml .pre-commit-hooks.yaml action/README.md action/cuda_lines.py action/install.sh action/review.sh
