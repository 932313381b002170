/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for scripts and for build servers. */
#ifndef BERTH_TOOL_FINDINGS_PRINT_H
#define BERTH_TOOL_FINDINGS_PRINT_H

#include <berth/findings.h>

/* One JSON object on stdout; `trace` has the stacks. BERTH_OK or BERTH_E_NOMEM. */
berth_status findings_print_json(const berth_findings *findings, berth_trace *trace);

/* JUnit's XML into a file, one test a rule. BERTH_OK or BERTH_E_IO. */
berth_status findings_write_junit(const berth_findings *findings, const char *trace,
				  const char *path);

#endif
