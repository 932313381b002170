/* SPDX-License-Identifier: Apache-2.0 */
/* Devices by the names that users type. */
#include "config.h"

#include <berth/open.h>
#include <berth/sim.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef BERTH_WITH_OPENCL
#include <berth/opencl.h>

/* Room for the platform's part of a name; names of platforms are shorter. */
#define PLATFORM_BYTES_MAX 256

/* An index of more digits is none that a device could have. */
#define INDEX_DIGITS_MAX 9

/* "TEXT" or "TEXT:N"; a colon with something else behind it belongs to the text. */
static berth_status split(char platform[PLATFORM_BYTES_MAX], uint32_t *index, const char *rest)
{
	const char *colon = strrchr(rest, ':');
	size_t length = strlen(rest);

	*index = 0;
	if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
		if (strlen(colon + 1) > INDEX_DIGITS_MAX)
			return berth_error_set(BERTH_E_NOT_FOUND, 0,
					       "'opencl:%s': no platform has a device with index "
					       "%s: at most %d digits are read",
					       rest, colon + 1, INDEX_DIGITS_MAX);
		*index = (uint32_t)strtoul(colon + 1, NULL, 10);
		length = (size_t)(colon - rest);
	}
	if (length >= PLATFORM_BYTES_MAX)
		return berth_error_set(BERTH_E_NOT_FOUND, 0, "no platform has a name of %zu bytes",
				       length);
	memcpy(platform, rest, length);
	platform[length] = '\0';
	return BERTH_OK;
}

static berth_status open_opencl(berth_device **out, const char *rest,
				const berth_open_options *options)
{
	berth_opencl_options opencl_options = BERTH_OPENCL_OPTIONS_INIT;
	char platform[PLATFORM_BYTES_MAX];
	uint32_t index;
	berth_status st;

	if (options->ghost || options->capacity_bytes || options->settings)
		return berth_error_set(
			BERTH_E_INVAL, 0,
			"'opencl:%s' is a real device: only a simulated one can be a "
			"ghost, or have another capacity or other limits",
			rest);
	opencl_options.queues = options->queues;
	st = split(platform, &index, rest);
	if (st == BERTH_OK)
		st = berth_opencl_find(&opencl_options.device, platform, index);
	if (st == BERTH_OK)
		st = berth_opencl_create(out, &opencl_options);
	return st;
}
#else
static berth_status open_opencl(berth_device **out, const char *rest,
				const berth_open_options *options)
{
	(void)out;
	(void)options;
	return berth_error_set(BERTH_E_UNSUPPORTED, 0,
			       "'opencl:%s': this Berth was configured --without-opencl", rest);
}
#endif

static berth_status open_sim(berth_device **out, const char *rest,
			     const berth_open_options *options)
{
	berth_sim_options sim_options = BERTH_SIM_OPTIONS_INIT;
	berth_profile *profile = malloc(sizeof(*profile));
	berth_status st;

	if (!profile)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the profile '%s'", rest);
	sim_options.ghost = options->ghost;
	sim_options.capacity_bytes = options->capacity_bytes;
	st = berth_profile_load(profile, rest);
	if (st == BERTH_OK && options->settings)
		st = berth_profile_override(profile, options->settings);
	if (st == BERTH_OK)
		st = berth_sim_create(out, profile, &sim_options);
	free(profile);
	return st;
}

static const struct {
	const char *prefix;
	berth_status (*open)(berth_device **out, const char *rest,
			     const berth_open_options *options);
} forms[] = {
	{ "opencl:", open_opencl },
	{ "sim:", open_sim },
};

berth_status berth_device_open(berth_device **out, const char *name,
			       const berth_open_options *options)
{
	static const berth_open_options defaults = BERTH_OPEN_OPTIONS_INIT;

	if (!options)
		options = &defaults;
	if (options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "options.size is %" PRIu32
				       ", %zu is needed: start from the header's _INIT macro",
				       options->size, sizeof(*options));
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t length = strlen(forms[i].prefix);

		if (strncmp(name, forms[i].prefix, length) == 0 && name[length])
			return forms[i].open(out, name + length, options);
	}
	return berth_error_set(BERTH_E_INVAL, 0,
			       "'%s' is not a device: allowed are opencl:PLATFORM, "
			       "opencl:PLATFORM:N, sim:PROFILE, sim:FILE.ini and "
			       "sim:clinfo:FILE[:N]",
			       name);
}
