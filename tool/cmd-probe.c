/* SPDX-License-Identifier: Apache-2.0 */
/* berth probe: does a device keep to the specification? */
#include "cmd.h"
#include "print.h"
#include "probe_table.h"
#include "progress.h"
#include "size.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	OPTION_JSON,
	OPTION_MARKDOWN,
	OPTION_JUNIT,
	OPTION_MEASURE,
	OPTION_FILL,
	OPTION_LEARN,
	OPTION_RECORD,
	OPTION_ONLY,
	OPTION_TIMEOUT,
	OPTION_LIST,
};

static const struct cmd_option options[] = {
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
	[OPTION_MARKDOWN] = { "markdown", 0, NULL, "print a Markdown page" },
	[OPTION_JUNIT] = { "junit", 0, "FILE", "write JUnit's XML as well, one test a case" },
	[OPTION_MEASURE] = { "measure", 0, NULL,
			     "measure transfers, memory and pitches as well (--learn does)" },
	[OPTION_FILL] = { "fill", 0, NULL,
			  "count how many buffers of 1 B, 64 KiB, 3 MiB and 1 GiB fit, for --learn too" },
	[OPTION_LEARN] = { "learn", 0, "FILE", "write a profile that answers as the device does" },
	[OPTION_RECORD] = { "record", 0, "TRACE", "write the ops and the device's answers" },
	[OPTION_ONLY] = { "only", 0, "RULES",
			  "only the cases of these rules, with commas between" },
	[OPTION_TIMEOUT] = { "timeout", 0, "SECONDS", "for one op, at most (20)" },
	[OPTION_LIST] = { "list", 0, NULL, "list the cases and execute none" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "the device agrees with the specification" },
	{ CMD_EXIT_DIVERGED, "it deviates, crashes or hangs" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED, "no such device or rule, or a file cannot be written" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth probe opencl:Portable", "check PoCL against the specification, rule by rule" },
	{ "berth probe --only R25,R38 opencl:NVIDIA", "how sizes and sub-buffers are checked" },
	{ "berth probe --learn mine.ini opencl:0", "learn a profile for 'sim:mine.ini'" },
	{ NULL, NULL },
};

#define ONLY_MAX 64

struct request {
	berth_probe_options options;
	char *only_text;
	const char *only[ONLY_MAX + 1];
};

static int parse_timeout(uint32_t *timeout_ms, const char *text)
{
	uint64_t seconds;

	if (number_parse(&seconds, text, 1, 86400) != BERTH_OK)
		return cmd_fail(CMD_EXIT_USAGE, "probe: --timeout: %s", berth_error_get()->message);
	*timeout_ms = (uint32_t)seconds * 1000;
	return CMD_EXIT_OK;
}

static int parse_only(struct request *request, const char *text)
{
	size_t count = 0;
	char *rest;

	request->only_text = rest = strdup(text);
	for (char *rule; rest && (rule = strsep(&rest, ",")) && count < ONLY_MAX;)
		request->only[count++] = rule;
	if (!request->only_text || rest)
		return cmd_fail(CMD_EXIT_USAGE, "--only: at most %d rules", ONLY_MAX);
	request->options.only = request->only;
	return CMD_EXIT_OK;
}

static void show_progress(const berth_probe_progress *progress, void *userdata)
{
	progress_show(userdata, "%zu of %zu cases", progress->done, progress->total);
}

static void list(const berth_probe *probe)
{
	const berth_probe_case *one;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		print_text(stdout, "%-24s %-6s %s%s%s\n", one->rule->id,
			   one->breaks ? "breaks" : "keeps", one->name, one->reason[0] ? ": " : "",
			   one->reason);
}

/* Of a learnt profile: where its values come from, and what it cannot say. */
struct remarks {
	FILE *file;
	size_t count;
};

static void remark(const berth_probe_case *one, void *userdata)
{
	struct remarks *remarks = userdata;
	char note[PROBE_NOTE_BYTES];

	if (remarks->count++ == 0)
		print_text(remarks->file, "\n# Cases that this profile answers otherwise than the "
					  "device did:\n");
	if (!*probe_case_note(note, one))
		snprintf(note, sizeof(note), "%s: %s", one->name,
			 berth_cl_status_string(one->answer));
	/* Lines of profiles have at most 197 bytes. */
	print_text(remarks->file, "# %s: %.180s\n", one->rule->id, note);
}

/* The text, with a word at the head of each section on where its values come from. */
static void write_sections(FILE *file, const char *text, const char *date)
{
	while (*text) {
		const char *end = strchr(text, '\n');
		const size_t length = end ? (size_t)(end - text) + 1 : strlen(text);

		fwrite(text, 1, length, file);
		if (*text == '[')
			print_text(file, "# Found by berth probe on %s\n", date);
		text += length;
	}
}

#define FILL_SIZES 4

/* What --fill found; count 0: it was not asked for. */
struct fills {
	berth_probe_filled filled[FILL_SIZES];
	size_t count;
};

/* The memory model of a learnt profile, as far as filling the device tells. */
static void fit_memory(berth_profile *profile, const struct fills *fills)
{
	if (fills->count > 0 &&
	    berth_probe_fit_memory(&profile->memory, fills->filled, fills->count) != BERTH_OK)
		cmd_fail(0, "the memory model is not learnt: %s", berth_error_get()->message);
}

static int write_profile(FILE *file, const berth_probe *probe, const struct fills *fills)
{
	struct remarks remarks = { .file = file };
	time_t now = time(NULL);
	berth_profile profile;
	char date[32], *text;

	if (berth_probe_learn(&profile, probe, remark, &remarks) != BERTH_OK)
		return cmd_fail_detail("cannot learn", NULL);
	fit_memory(&profile, fills);
	if (berth_profile_to_text(&text, &profile) != BERTH_OK)
		return cmd_fail_detail("cannot learn", NULL);
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&now));
	print_text(file,
		   "# The sizes of memory follow the machine on which they were measured, on %s.\n",
		   date);
	write_sections(file, text, date);
	free(text);
	if (remarks.count > 0)
		cmd_fail(0, "the profile answers %zu of %zu cases not as the device did",
			 remarks.count, berth_probe_count(probe));
	return CMD_EXIT_OK;
}

static int learn(const berth_probe *probe, const struct fills *fills, const char *path)
{
	FILE *file = fopen(path, "w");
	bool failed;
	int status;

	if (!file)
		return cmd_fail(CMD_EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
	status = write_profile(file, probe, fills);
	failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return cmd_fail(CMD_EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
	return status;
}

static int write_files(const struct cmd_line *line, const berth_probe *probe,
		       const struct fills *fills)
{
	const char *device = line->operands[0];

	if (line->values[OPTION_JUNIT] &&
	    probe_write_junit(probe, device, line->values[OPTION_JUNIT]) != BERTH_OK)
		return cmd_fail_detail("cannot write", line->values[OPTION_JUNIT]);
	if (line->values[OPTION_RECORD] &&
	    berth_probe_record(probe, line->values[OPTION_RECORD]) != BERTH_OK)
		return cmd_fail_detail("cannot write", line->values[OPTION_RECORD]);
	if (line->values[OPTION_LEARN])
		return learn(probe, fills, line->values[OPTION_LEARN]);
	return CMD_EXIT_OK;
}

static int print(const struct cmd_line *line, const berth_probe *probe)
{
	const char *device = line->operands[0];

	if (line->values[OPTION_LIST])
		list(probe);
	else if (line->values[OPTION_MARKDOWN])
		probe_print_markdown(probe, device);
	else if (!line->values[OPTION_JSON])
		probe_print_text(probe, device);
	else if (probe_print_json(probe, device) != BERTH_OK)
		return cmd_fail_detail("cannot print the answers", NULL);
	return CMD_EXIT_OK;
}

static int verdict(const berth_probe *probe)
{
	const berth_probe_case *one;

	for (size_t i = 0; (one = berth_probe_at(probe, i)); i++)
		if (one->outcome > BERTH_PROBE_AGREES)
			return CMD_EXIT_DIVERGED;
	return CMD_EXIT_OK;
}

/* A simulated device has nothing to measure. */
static int measure(const struct cmd_line *line, berth_probe *probe)
{
	const char *device = line->operands[0];

	if (line->values[OPTION_LIST] || strncmp(device, "sim:", 4) == 0 ||
	    (!line->values[OPTION_MEASURE] && !line->values[OPTION_LEARN]))
		return CMD_EXIT_OK;
	return berth_probe_measure(probe) == BERTH_OK ? CMD_EXIT_OK
						      : cmd_fail_detail("cannot measure", device);
}

static int fill(struct fills *fills, const berth_probe *probe, const char *device)
{
	static const uint64_t sizes[FILL_SIZES] = { 1, 64 << 10, 3 << 20, 1 << 30 };

	for (size_t i = 0; i < FILL_SIZES; i++) {
		berth_probe_filled *filled = &fills->filled[i];

		if (berth_probe_fill(filled, probe, sizes[i]) != BERTH_OK)
			return cmd_fail_detail("cannot fill", device);
		fills->count++;
		/* Beside what is printed of the rules, which may be JSON. */
		print_text(stderr, "%s%llu buffers of %llu bytes fit; then: %s\n",
			   filled->complete ? "" : "at least ", (unsigned long long)filled->count,
			   (unsigned long long)filled->bytes,
			   filled->complete ? berth_cl_status_string(filled->code) : "time ran out");
	}
	return CMD_EXIT_OK;
}

static int probe_device(const struct cmd_line *line, struct request *request)
{
	const char *device = line->operands[0];
	struct progress progress;
	struct fills fills = { .count = 0 };
	berth_probe *probe;
	berth_status st;
	int status;

	progress_start(&progress);
	request->options.progress = show_progress;
	request->options.userdata = &progress;
	request->options.plan_only = line->values[OPTION_LIST];
	st = berth_probe_run(&probe, device, &request->options);
	progress_end(&progress);
	if (st != BERTH_OK)
		return cmd_fail_detail("cannot probe", device);
	status = measure(line, probe);
	if (status == CMD_EXIT_OK && line->values[OPTION_FILL])
		status = fill(&fills, probe, line->operands[0]);
	if (status == CMD_EXIT_OK)
		status = write_files(line, probe, &fills);
	if (status == CMD_EXIT_OK)
		status = print(line, probe);
	if (status == CMD_EXIT_OK)
		status = verdict(probe);
	berth_probe_destroy(probe);
	return status;
}

static int run(const struct cmd_line *line)
{
	struct request request = { .options = BERTH_PROBE_OPTIONS_INIT };
	int status = CMD_EXIT_OK;

	if (line->values[OPTION_TIMEOUT])
		status = parse_timeout(&request.options.timeout_ms, line->values[OPTION_TIMEOUT]);
	if (status == CMD_EXIT_OK && line->values[OPTION_ONLY])
		status = parse_only(&request, line->values[OPTION_ONLY]);
	if (status == CMD_EXIT_OK)
		status = probe_device(line, &request);
	free(request.only_text);
	return cmd_finish_output(status);
}

const struct cmd cmd_probe = {
	.name = "probe",
	.summary = "check a device against the specification, rule by rule",
	.operands = "DEVICE",
	.operands_min = 1,
	.operands_max = 1,
	.description =
		"Executes cases on either side of each rule's boundary, made from the device's own "
		"capabilities, in processes of their own, since drivers crash and hang on some. "
		"Prints for each rule whether the device agrees with the specification, deviates "
		"(with both answers, and whether it did so at once or at the first use), crashes "
		"or "
		"hangs, or why the rule does not apply.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
