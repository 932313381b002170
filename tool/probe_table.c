/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a probe by rule, as text and as Markdown. */
#include "probe_table.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

void probe_line_of(struct probe_line *line, const berth_probe *probe, const berth_rule *rule)
{
	const berth_probe_case *one;

	memset(line, 0, sizeof(*line));
	line->rule = rule;
	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++) {
		if (one->rule != rule)
			continue;
		line->cases++;
		line->counts[one->outcome]++;
		if (!line->worst || one->outcome > line->outcome) {
			line->worst = one;
			line->outcome = one->outcome;
		}
	}
}

bool probe_line_is_shown(const berth_probe *probe, const berth_rule *rule)
{
	const berth_probe_case *one;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		if (one->rule == rule)
			return true;
	return false;
}

static void expectation(char *text, size_t text_bytes, const berth_probe_case *one)
{
	size_t length;

	snprintf(text, text_bytes, "%s",
		 one->expected == 0 ? "accept" : berth_cl_status_string(one->expected));
	for (uint32_t i = 0; i < one->code_count; i++) {
		length = strlen(text);
		snprintf(text + length, text_bytes - length, " or %s",
			 berth_cl_status_string(one->codes[i]));
	}
}

static void ending(char *text, size_t text_bytes, const berth_probe_case *one)
{
	if (one->signal)
		snprintf(text, text_bytes, "ends by signal %d (%s)", one->signal,
			 strsignal(one->signal));
	else if (one->outcome == BERTH_PROBE_CRASHES)
		snprintf(text, text_bytes, "ends the process");
	else
		snprintf(text, text_bytes, "hangs");
}

const char *probe_case_note(char note[PROBE_NOTE_BYTES], const berth_probe_case *one)
{
	char expected[256], what[256];

	if (one->outcome <= BERTH_PROBE_AGREES) {
		snprintf(note, PROBE_NOTE_BYTES, "%s", one->reason);
		return note;
	}
	expectation(expected, sizeof(expected), one);
	if (one->outcome == BERTH_PROBE_DEVIATES)
		snprintf(what, sizeof(what), "%s", one->reason);
	else
		ending(what, sizeof(what), one);
	snprintf(note, PROBE_NOTE_BYTES, "%s (%s%s%s): %s; here: %s", one->name,
		 berth_op_kind_string(one->kind), one->form ? " " : "",
		 berth_op_form_string(one->form), expected, what);
	return note;
}

void probe_totals(uint32_t totals[BERTH_PROBE_OUTCOME_END], const berth_probe *probe)
{
	const berth_rule *rule;
	struct probe_line line;

	memset(totals, 0, BERTH_PROBE_OUTCOME_END * sizeof(*totals));
	for (size_t i = 0; (rule = berth_rules_at(i)); i++) {
		if (!probe_line_is_shown(probe, rule))
			continue;
		probe_line_of(&line, probe, rule);
		totals[line.outcome]++;
	}
}

static void print_totals(const berth_probe *probe)
{
	uint32_t totals[BERTH_PROBE_OUTCOME_END], rules = 0;

	probe_totals(totals, probe);
	for (int i = 0; i < BERTH_PROBE_OUTCOME_END; i++)
		rules += totals[i];
	print_text(stdout, "\n%u rules, %zu cases:", rules, berth_probe_count(probe));
	for (int i = BERTH_PROBE_OUTCOME_END; i-- > 0;)
		print_text(stdout, " %u %s%s", totals[i],
			   berth_probe_outcome_string((berth_probe_outcome)i), i ? "," : "\n");
}

static bool is_noted(const struct probe_line *line, const berth_probe_case *one)
{
	if (one->rule != line->rule || one->reason[0] == '\0')
		return one->rule == line->rule && one->outcome > BERTH_PROBE_DEVIATES;
	return one->outcome > BERTH_PROBE_AGREES ||
	       (line->outcome == BERTH_PROBE_NOT_APPLICABLE && one == line->worst);
}

typedef void print_note_fn(const char *note);

static void each_note(const berth_probe *probe, const struct probe_line *line,
		      print_note_fn *print_note)
{
	const berth_probe_case *one;
	char note[PROBE_NOTE_BYTES];

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		if (is_noted(line, one))
			print_note(probe_case_note(note, one));
}

static void print_note(const char *note)
{
	print_text(stdout, "    %s\n", note);
}

static void print_line(const char *name, const berth_transfer_model *line)
{
	if (line->fixed_ns == 0 && line->bytes_per_second == 0)
		return;
	print_text(stdout, "    %-16s %.1f us and %.2f GB/s\n", name, (double)line->fixed_ns / 1e3,
		   (double)line->bytes_per_second / 1e9);
}

static void print_measures(const berth_probe_measures *measures)
{
	if (measures->buffer_bytes == 0)
		return;
	fputs("\nTransfers:\n\n", stdout);
	for (int i = 0; i < BERTH_TRANSFER_KIND_END; i++)
		print_line(berth_transfer_kind_string((berth_transfer_kind)i),
			   &measures->transfer.lines[i]);
	print_text(stdout,
		   "\nA buffer of %llu bytes: created in %.1f us, first written in %.1f us, again "
		   "in %.1f us. The process had %llu bytes more when it was created, %llu when it was "
		   "written, %llu when it was released, %llu after the next finish.\n",
		   (unsigned long long)measures->buffer_bytes, (double)measures->create_ns / 1e3,
		   (double)measures->first_write_ns / 1e3, (double)measures->second_write_ns / 1e3,
		   (unsigned long long)measures->created_bytes,
		   (unsigned long long)measures->used_bytes,
		   (unsigned long long)measures->released_bytes,
		   (unsigned long long)measures->finished_bytes);
	if (measures->image_row_bytes)
		print_text(stdout,
			   "A 2D image with rows of %llu bytes: row pitch %llu, slice pitch %llu; row "
			   "pitch of its mapping %llu.\n",
			   (unsigned long long)measures->image_row_bytes,
			   (unsigned long long)measures->image_row_pitch_bytes,
			   (unsigned long long)measures->image_slice_pitch_bytes,
			   (unsigned long long)measures->map_row_pitch_bytes);
}

void probe_print_text(const berth_probe *probe, const char *device)
{
	const berth_caps *caps = berth_probe_caps(probe);
	const berth_rule *rule;
	struct probe_line line;

	print_text(stdout, "%s: %s, %s\n", device, caps->name, caps->device_version);
	fputs("\n", stdout);
	for (size_t i = 0; (rule = berth_rules_at(i)); i++) {
		if (!probe_line_is_shown(probe, rule))
			continue;
		probe_line_of(&line, probe, rule);
		print_text(stdout, "%-24s %-15s %s\n", rule->id,
			   berth_probe_outcome_string(line.outcome), rule->summary);
		each_note(probe, &line, print_note);
	}
	print_totals(probe);
	print_measures(berth_probe_measured(probe));
}

static void print_cell(const char *note)
{
	print_text(stdout, "<br>%s", note);
}

void probe_print_markdown(const berth_probe *probe, const char *device)
{
	const berth_caps *caps = berth_probe_caps(probe);
	const berth_rule *rule;
	struct probe_line line;

	print_text(stdout, "# %s\n", caps->name);
	fputs("\n", stdout);
	print_text(stdout, "Made by `berth probe --markdown '%s'`: %s, driver %s.\n", device,
		   caps->device_version, caps->driver_version);
	print_totals(probe);
	print_measures(berth_probe_measured(probe));
	fputs("\n| rule | outcome | what must hold, and what came |\n|---|---|---|\n", stdout);
	for (size_t i = 0; (rule = berth_rules_at(i)); i++) {
		if (!probe_line_is_shown(probe, rule))
			continue;
		probe_line_of(&line, probe, rule);
		print_text(stdout, "| %s | %s | %s", rule->id,
			   berth_probe_outcome_string(line.outcome), rule->summary);
		each_note(probe, &line, print_cell);
		print_text(stdout, " |\n");
	}
}
