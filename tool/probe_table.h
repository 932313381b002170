/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a probe by rule: what the tables of all forms are made of. */
#ifndef BERTH_TOOL_PROBE_TABLE_H
#define BERTH_TOOL_PROBE_TABLE_H

#include <berth/probe.h>

#define PROBE_NOTE_BYTES 640

/* A rule's cases together. */
struct probe_line {
	const berth_rule *rule;
	berth_probe_outcome outcome; /* the worst of its cases */
	uint32_t cases;
	uint32_t counts[BERTH_PROBE_OUTCOME_END];
	const berth_probe_case *worst; /* the first case with that outcome; NULL: no case */
};

/* The line of a rule of the table. */
void probe_line_of(struct probe_line *line, const berth_probe *probe, const berth_rule *rule);

/* Whether a line belongs into the tables: rules that were not asked for do not. */
bool probe_line_is_shown(const berth_probe *probe, const berth_rule *rule);

/* What a case showed, in words: its name, what the specification says, what came. */
const char *probe_case_note(char note[PROBE_NOTE_BYTES], const berth_probe_case *one);

/* How many rules came out how. */
void probe_totals(uint32_t totals[BERTH_PROBE_OUTCOME_END], const berth_probe *probe);

void probe_print_text(const berth_probe *probe, const char *device);
void probe_print_markdown(const berth_probe *probe, const char *device);
berth_status probe_print_json(const berth_probe *probe, const char *device);
berth_status probe_write_junit(const berth_probe *probe, const char *device, const char *path);

#endif
