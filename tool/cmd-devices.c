/* SPDX-License-Identifier: Apache-2.0 */
/* berth devices: the devices that a name can stand for. */
#include "cmd.h"
#include "image_mode.h"
#include "json.h"
#include "print.h"
#include "real_devices.h"
#include "size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/clinfo.h>
#include <berth/sim.h>

/* Wide enough for the built-in profiles. */
#define NAME_COLUMN 28

#define SIM_PREFIX "sim:"
#define CLINFO_PREFIX "sim:clinfo:"

enum { OPTION_JSON, OPTION_DUMP, OPTION_MARKDOWN };

static const struct cmd_option options[] = {
	[OPTION_JSON] = { "json", 0, NULL, "print one JSON array" },
	[OPTION_DUMP] = { "dump", 0, "PROFILE", "print a profile as an ini file" },
	[OPTION_MARKDOWN] = { "markdown", 0, NULL,
			      "print the built-in profiles with their sources, as Markdown" },
	{ .name = NULL },
};

static const struct cmd_exit exits[] = {
	{ CMD_EXIT_OK, "listed" },
	{ CMD_EXIT_USAGE, "wrong usage" },
	{ CMD_EXIT_FAILED,
	  "a driver crashed, hung or refused (the rest is listed), or no such PROFILE" },
	{ 0, NULL },
};

static const struct cmd_example examples[] = {
	{ "berth devices", "list the OpenCL devices that are here, and the built-in profiles" },
	{ "berth devices --dump adreno-650 >mine.ini", "start a profile of your own" },
	{ "berth devices sim:clinfo:report.txt", "say what a dump of clinfo gives, and lacks" },
	{ NULL, NULL },
};

/* Called for each device with its name as --on takes it. */
struct lister {
	void (*show)(const char *name, const berth_caps *caps, uint64_t capacity_bytes,
		     berth_image_mode image_mode, struct lister *lister);
	json_builder *json;
	bool has_heading;
};

static const char *limits_text(char text[32], uint64_t width, uint64_t height)
{
	snprintf(text, 32, "%llux%llu", (unsigned long long)width, (unsigned long long)height);
	return text;
}

static void print_heading(void)
{
	print_text(stdout, "%-28s  %-6s  %10s  %10s  %-11s  %-9s  %-9s  %s\n", "device", "OpenCL",
		   "memory", "largest", "2D image", "pitch", "on buffer", "in pools");
}

/* A row: names that are longer than their column stand in a line of their own. */
static void show_text(const char *name, const berth_caps *caps, uint64_t capacity_bytes,
		      berth_image_mode image_mode, struct lister *lister)
{
	char memory[SIZE_TEXT_BYTES], largest[SIZE_TEXT_BYTES], limits[32], pitch[32] = "-";

	if (!lister->has_heading)
		print_heading();
	lister->has_heading = true;
	print_shell_word(stdout, name);
	if (strlen(name) > NAME_COLUMN || strpbrk(name, " '()"))
		print_text(stdout, "\n%*s", NAME_COLUMN, "");
	else
		print_text(stdout, "%*s", NAME_COLUMN - (int)strlen(name), "");
	if (caps->image2d_from_buffer)
		snprintf(pitch, sizeof(pitch), "%u %s", caps->image_pitch_align,
			 caps->pitch_unit == BERTH_PITCH_UNIT_BYTES ? "bytes" : "px");
	print_text(stdout, "  %u.%u     %10s  %10s  %-11s  %-9s  %-9s  %s\n", caps->cl_version / 100,
		   caps->cl_version % 100 / 10, size_short_text(memory, capacity_bytes),
		   size_short_text(largest, caps->max_alloc_bytes),
		   caps->images ? limits_text(limits, caps->image2d_max_width,
					      caps->image2d_max_height)
				: "none",
		   pitch, caps->image2d_from_buffer ? "yes" : "no",
		   caps->images ? berth_image_mode_string(image_mode) : "-");
}

static void show_json(const char *name, const berth_caps *caps, uint64_t capacity_bytes,
		      berth_image_mode image_mode, struct lister *lister)
{
	json_builder *json = lister->json;

	json_set_object(json, "$[#]");
	json_set_text(json, "$[#-1].device", name);
	json_set_text(json, "$[#-1].name", caps->name);
	json_set_text(json, "$[#-1].vendor", caps->vendor);
	json_set_number(json, "$[#-1].opencl", caps->cl_version);
	json_set_number(json, "$[#-1].capacity_bytes", capacity_bytes);
	json_set_number(json, "$[#-1].global_mem_bytes", caps->global_mem_bytes);
	json_set_number(json, "$[#-1].max_alloc_bytes", caps->max_alloc_bytes);
	json_set_number(json, "$[#-1].base_addr_align_bits", caps->base_addr_align_bits);
	json_set_bool(json, "$[#-1].images", caps->images);
	json_set_number(json, "$[#-1].image2d_max_width", caps->image2d_max_width);
	json_set_number(json, "$[#-1].image2d_max_height", caps->image2d_max_height);
	json_set_bool(json, "$[#-1].image2d_from_buffer", caps->image2d_from_buffer);
	json_set_number(json, "$[#-1].image_pitch_align", caps->image_pitch_align);
	json_set_text(json, "$[#-1].image_mode", berth_image_mode_string(image_mode));
}

static void show_real(const struct real_device *device, void *userdata)
{
	struct lister *lister = userdata;
	char name[192];

	snprintf(name, sizeof(name), "opencl:%s:%u", device->platform, device->index);
	lister->show(name, &device->caps, device->caps.global_mem_bytes, device->image_mode,
		     lister);
}

static berth_status simulated_image_mode(berth_image_mode *out, const berth_profile *profile)
{
	const berth_sim_options ghost = { .size = sizeof(ghost), .ghost = true };
	berth_device *device;
	berth_status st = berth_sim_create(&device, profile, &ghost);

	if (st != BERTH_OK)
		return st;
	*out = image_mode_of(device);
	berth_device_destroy(device);
	return BERTH_OK;
}

static berth_status show_profile(struct lister *lister, const char *name,
				 const berth_profile *profile)
{
	berth_image_mode image_mode;
	berth_status st = simulated_image_mode(&image_mode, profile);

	if (st == BERTH_OK)
		lister->show(name, &profile->caps, profile->memory.capacity_bytes, image_mode,
			     lister);
	return st;
}

static int show_simulated(struct lister *lister)
{
	berth_profile profile;
	char name[80];
	const char *builtin;

	for (size_t i = 0; (builtin = berth_profile_builtin_name(i)); i++) {
		snprintf(name, sizeof(name), SIM_PREFIX "%s", builtin);
		if (berth_profile_load(&profile, builtin) != BERTH_OK ||
		    show_profile(lister, name, &profile) != BERTH_OK)
			return cmd_fail_detail("cannot load the profile", builtin);
	}
	return CMD_EXIT_OK;
}

static berth_status load(berth_profile *out, const char *name, berth_clinfo_report *report)
{
	memset(report, 0, sizeof(*report));
	if (strncmp(name, CLINFO_PREFIX, strlen(CLINFO_PREFIX)) == 0)
		return berth_profile_from_clinfo_name(out, name + strlen(CLINFO_PREFIX), report);
	if (strncmp(name, SIM_PREFIX, strlen(SIM_PREFIX)) == 0)
		name += strlen(SIM_PREFIX);
	return berth_profile_load(out, name);
}

static void print_findings(FILE *to, const char *prefix, const berth_clinfo_report *report)
{
	const char *line = report->findings;

	while (*line) {
		int length = (int)strcspn(line, "\n");

		print_text(to, "%s%.*s\n", prefix, length, line);
		line += length + (line[length] == '\n');
	}
}

/* One simulated device, and what a dump of clinfo lacks. */
static int show_one(struct lister *lister, const char *name)
{
	berth_clinfo_report report;
	berth_profile profile;
	berth_status st = load(&profile, name, &report);

	if (st == BERTH_OK)
		st = show_profile(lister, name, &profile);
	print_findings(lister->json ? stderr : stdout, "  ", &report);
	return st == BERTH_OK ? CMD_EXIT_OK : cmd_fail_detail("cannot load", name);
}

static int list(struct lister *lister)
{
	berth_status st = real_devices_each(show_real, lister);
	int status = CMD_EXIT_OK, simulated;

	if (st == BERTH_E_UNSUPPORTED)
		cmd_fail(0, "no real devices: %s", berth_error_get()->message);
	else if (st != BERTH_OK)
		status = cmd_fail_detail("not all devices are listed", NULL);
	simulated = show_simulated(lister);
	return simulated == CMD_EXIT_OK ? status : simulated;
}

static int list_json(const char *only)
{
	struct lister lister = { .show = show_json, .json = json_builder_create() };
	int status;

	json_start_array(lister.json);
	status = only ? show_one(&lister, only) : list(&lister);
	if (json_print(lister.json) != BERTH_OK)
		status = cmd_fail_detail("cannot print the devices", NULL);
	json_builder_destroy(lister.json);
	return status;
}

/* doc/profiles.md has this table. */
static int list_markdown(void)
{
	char memory[SIZE_TEXT_BYTES], largest[SIZE_TEXT_BYTES];
	berth_profile profile;
	const char *builtin;

	print_text(stdout, "| profile | device | OpenCL | memory | largest allocation | images on "
			   "buffers | deviations | source |\n|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; (builtin = berth_profile_builtin_name(i)); i++) {
		const berth_caps *caps = &profile.caps;

		if (berth_profile_load(&profile, builtin) != BERTH_OK)
			return cmd_fail_detail("cannot load the profile", builtin);
		print_text(stdout, "| `%s` | %s | %u.%u | %s | %s | %s | %u | %s |\n", builtin,
			   caps->name, caps->cl_version / 100, caps->cl_version % 100 / 10,
			   size_short_text(memory, profile.memory.capacity_bytes),
			   size_short_text(largest, caps->max_alloc_bytes),
			   caps->image2d_from_buffer ? "yes" : caps->images ? "no" : "no images",
			   profile.deviations.count, profile.source);
	}
	return CMD_EXIT_OK;
}

static int list_text(const char *only)
{
	struct lister lister = { .show = show_text };

	return only ? show_one(&lister, only) : list(&lister);
}

/* A built-in profile with its comments; any other as it was understood. */
static int dump(const char *name)
{
	const char *builtin = berth_profile_builtin_text(name);
	berth_clinfo_report report;
	berth_profile profile;
	char *text;

	if (builtin) {
		fputs(builtin, stdout);
		return CMD_EXIT_OK;
	}
	if (load(&profile, name, &report) != BERTH_OK ||
	    berth_profile_to_text(&text, &profile) != BERTH_OK)
		return cmd_fail_detail("cannot print the profile", name);
	print_findings(stdout, "# ", &report);
	fputs(text, stdout);
	free(text);
	return CMD_EXIT_OK;
}

static int run(const struct cmd_line *line)
{
	const char *only = line->operands[0];
	int status;

	if (line->values[OPTION_DUMP])
		status = dump(line->values[OPTION_DUMP]);
	else if (line->values[OPTION_MARKDOWN])
		status = list_markdown();
	else
		status = line->values[OPTION_JSON] ? list_json(only) : list_text(only);
	return cmd_finish_output(status);
}

const struct cmd cmd_devices = {
	.name = "devices",
	.summary = "list real devices and simulated profiles",
	.operands = "[PROFILE]",
	.operands_min = 0,
	.operands_max = 1,
	.description =
		"Lists the devices of all OpenCL platforms on this machine and the built-in "
		"profiles of simulated devices, each under the name that --on takes, in quotes "
		"where a shell needs them, with its "
		"main limits and how a pool would make images there: native (on buffers), "
		"host-aliased (on host memory that buffers share, which is tried) or copied. "
		"Drivers are asked in a process of their own, so that one that crashes or hangs "
		"does no harm. With PROFILE, as sim:FILE.ini or sim:clinfo:FILE:N, only that; "
		"of a dump of clinfo it says as well what is missing or makes no sense.",
	.options = options,
	.exits = exits,
	.examples = examples,
	.run = run,
};
