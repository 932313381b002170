/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles from dumps of clinfo: the file, and which of its devices. */
#include "clinfo_file.h"
#include "file_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Dumps of many devices have some hundred KiB. */
#define FILE_BYTES_MAX (UINT64_C(16) << 20)

/* An index of more digits is none that a device could have. */
#define INDEX_DIGITS_MAX 9

static berth_status no_device(const char *path, const struct berth__clinfo_dump *dump)
{
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "'%s': no device of OpenCL is described in its %u lines", path,
			       dump->lines);
}

/* The devices by index and name, as far as a message has room. */
static void list_devices(char *out, size_t room, const struct berth__clinfo_dump *dump)
{
	size_t used = 0;

	*out = '\0';
	for (uint32_t i = 0; i < dump->count && used < room; i++) {
		const struct berth__clinfo_value *name = &dump->devices[i].values[CLINFO_NAME];

		used += (size_t)snprintf(out + used, room - used, "%s%u '%.48s' (line %u)",
					 i ? ", " : "", i, name->line ? name->text : "without name",
					 dump->devices[i].first_line);
	}
}

static bool are_alike(const struct berth__clinfo_device *a, const struct berth__clinfo_device *b)
{
	for (size_t i = 0; i < CLINFO_FIELD_COUNT; i++)
		if ((a->values[i].line == 0) != (b->values[i].line == 0) ||
		    a->values[i].number != b->values[i].number ||
		    strcmp(a->values[i].text, b->values[i].text) != 0)
			return false;
	return true;
}

static bool all_are_alike(const struct berth__clinfo_dump *dump)
{
	for (uint32_t i = 1; i < dump->count; i++)
		if (!are_alike(&dump->devices[0], &dump->devices[i]))
			return false;
	return true;
}

static berth_status choose(uint32_t *index, const char *path, const struct berth__clinfo_dump *dump)
{
	char list[300];

	if (dump->count == 0)
		return no_device(path, dump);
	if (*index == BERTH_CLINFO_ONLY_DEVICE && all_are_alike(dump)) {
		*index = 0;
		return BERTH_OK;
	}
	if (*index < dump->count)
		return BERTH_OK;
	list_devices(list, sizeof(list), dump);
	if (*index == BERTH_CLINFO_ONLY_DEVICE)
		return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%.100s' has %u devices, add :N: %s",
				       path, dump->count, list);
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%.100s' has no device %u: there are %s",
			       path, *index, list);
}

static berth_status from_text(berth_profile *out, const char *path, char *text, size_t bytes,
			      uint32_t index, berth_clinfo_report *report)
{
	struct berth__clinfo_dump dump;
	berth_status st = berth__clinfo_find_devices(&dump, path, text, bytes);

	report->device_count = dump.count;
	if (st == BERTH_OK)
		st = choose(&index, path, &dump);
	if (st == BERTH_OK) {
		report->first_line = dump.devices[index].first_line;
		report->last_line = dump.devices[index].last_line;
		st = berth__clinfo_profile(out, &dump.devices[index], path, index, report);
	}
	free(dump.devices);
	return st;
}

berth_status berth_profile_from_clinfo(berth_profile *out, const char *path, uint32_t index,
				       berth_clinfo_report *report)
{
	berth_clinfo_report *unwanted = report ? NULL : malloc(sizeof(*unwanted));
	char *text;
	size_t bytes;
	berth_status st;

	if (!report && !unwanted)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", path);
	report = report ? report : unwanted;
	memset(report, 0, sizeof(*report));
	st = berth__file_text(&text, &bytes, path, "a dump of clinfo", FILE_BYTES_MAX);
	if (st == BERTH_OK) {
		st = from_text(out, path, text, bytes, index, report);
		free(text);
	}
	free(unwanted);
	return st;
}

berth_status berth_profile_from_clinfo_name(berth_profile *out, const char *name,
					    berth_clinfo_report *report)
{
	const char *colon = strrchr(name, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
	uint32_t index = BERTH_CLINFO_ONLY_DEVICE;
	char *path;
	berth_status st;

	if (digits == 0 || colon[1 + digits] || access(name, F_OK) == 0)
		return berth_profile_from_clinfo(out, name, index, report);
	if (digits > INDEX_DIGITS_MAX) {
		if (report)
			memset(report, 0, sizeof(*report));
		return berth_error_set(BERTH_E_NOT_FOUND, 0, "no dump has a device %s", colon + 1);
	}
	index = (uint32_t)strtoul(colon + 1, NULL, 10);
	path = strndup(name, (size_t)(colon - name));
	if (!path)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", name);
	st = berth_profile_from_clinfo(out, path, index, report);
	free(path);
	return st;
}
