# shellcheck shell=bash
# Source it: if PATH has no nvdisasm, it adds the one of a Triton that an interpreter of PTXOPT_TEST_PYTHON or
# python3 has. Fails if there is no ptxas, or no nvdisasm.
command -v ptxas >/dev/null || return 1
for python in ${PTXOPT_TEST_PYTHON:-} python3; do
  ! command -v nvdisasm >/dev/null || break
  folder=$("$python" -c 'import importlib.util as u; print(u.find_spec("triton").submodule_search_locations[0])' 2>/dev/null)/backends/nvidia/bin
  [ ! -x "$folder/nvdisasm" ] || PATH=$PATH:$folder
done
command -v nvdisasm >/dev/null
