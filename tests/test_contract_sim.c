/* SPDX-License-Identifier: Apache-2.0 */
/* The contract suite on simulated devices: every built-in profile, with content and as a ghost. */
#include <stdio.h>
#include <string.h>

#include <berth/open.h>
#include <berth/sim.h>

#include "contract.h"

struct variant {
	const char *profile;
	bool ghost;
};

static berth_status open_variant(berth_device **out, void *userdata)
{
	const struct variant *variant = userdata;
	berth_open_options options = BERTH_OPEN_OPTIONS_INIT;
	char name[80];

	snprintf(name, sizeof(name), "sim:%s", variant->profile);
	options.ghost = variant->ghost;
	return berth_device_open(out, name, &options);
}

/* Whether a profile is the specification at its limits. */
static bool conforms(const char *name)
{
	static const berth_behaviour regular;
	berth_profile profile;

	return berth_profile_load(&profile, name) == BERTH_OK && profile.deviations.count == 0 &&
	       memcmp(&profile.behaviour, &regular, sizeof(regular)) == 0;
}

/* Profiles learnt from drivers that do not look at every handle. */
static const struct contract_skip unchecked_handles[] = {
	{ "ids that are none", "the profile does not refuse the handle of no object" },
	{ NULL, NULL },
};

static bool checks_handles(const char *name)
{
	berth_profile profile;

	if (berth_profile_load(&profile, name) != BERTH_OK)
		return true;
	for (uint32_t i = 0; i < profile.deviations.count; i++)
		if (profile.deviations.items[i].answer != BERTH_DEVIATION_CODE &&
		    strstr(profile.deviations.items[i].rule->id, "mem_object"))
			return false;
	return true;
}

int main(void)
{
	int worst = 0;

	for (size_t i = 0; i < berth_profile_builtin_count(); i++) {
		for (int ghost = 0; ghost < 2; ghost++) {
			struct variant variant = { berth_profile_builtin_name(i), ghost };
			const struct contract_device device = { .open = open_variant,
								.userdata = &variant,
								.conforms = conforms(variant.profile),
								.ghost = variant.ghost,
								.skip = checks_handles(variant.profile)
										? NULL
										: unchecked_handles };
			char suite[96];
			int status;

			snprintf(suite, sizeof(suite), "contract: sim:%s%s", variant.profile,
				 ghost ? ", ghost" : "");
			status = contract_main(suite, &device);
			if (status > worst)
				worst = status;
		}
	}
	return worst;
}
