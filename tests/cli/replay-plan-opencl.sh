# The small trace on its own plan, on a real driver, beside the specification.
need_layer
"$BUILT/cli/cl_program" exit 0 >/dev/null 2>&1 || skip "no OpenCL driver"
"$BUILT/make_trace" small t.db
berth replay t.db --on opencl:Portable --json >/dev/null 2>&1 || skip "no PoCL"
berth replay t.db --on opencl:Portable --plan --check | grep -o -e 'verdict.*' -e 'departed from it [0-9]*'
