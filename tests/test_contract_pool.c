/* SPDX-License-Identifier: Apache-2.0 */
/* The contract suite on pool devices: every policy on a simulated GPU that makes images on buffers,
 * and on one that does not. */
#include <stdio.h>

#include <berth/open.h>
#include <berth/pool_device.h>

#include "contract.h"

struct variant {
	const char *device;
	berth_pool_policy policy;
	bool ghost;
};

static berth_status open_variant(berth_device **out, void *userdata)
{
	const struct variant *variant = userdata;
	berth_open_options open_options = BERTH_OPEN_OPTIONS_INIT;
	berth_pool_options pool_options = BERTH_POOL_OPTIONS_INIT;
	berth_device *inner;
	berth_status st;

	open_options.ghost = variant->ghost;
	st = berth_device_open(&inner, variant->device, &open_options);
	if (st != BERTH_OK)
		return st;
	pool_options.policy = variant->policy;
	st = berth_pool_device_create(out, inner, &pool_options);
	if (st != BERTH_OK)
		berth_device_destroy(inner);
	return st;
}

static int run_variant(struct variant *variant)
{
	const struct contract_device device = {
		.open = open_variant, .userdata = variant, .conforms = true, .ghost = variant->ghost
	};
	char suite[96];

	snprintf(suite, sizeof(suite), "contract: pool(%s, %s)%s",
		 berth_pool_policy_string(variant->policy), variant->device,
		 variant->ghost ? ", ghost" : "");
	return contract_main(suite, &device);
}

int main(void)
{
	static const char *const devices[] = { "sim:adreno-650", "sim:nvidia-rtx-3050",
					       "sim:spec-minimum" };
	int worst = 0;

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		for (unsigned policy = 0; policy < BERTH_POOL_POLICY_END; policy++) {
			for (int ghost = 0; ghost < 2; ghost++) {
				struct variant variant = { devices[i], (berth_pool_policy)policy,
							   ghost };
				int status = run_variant(&variant);

				if (status > worst)
					worst = status;
			}
		}
	}
	return worst;
}
