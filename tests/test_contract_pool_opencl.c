/* SPDX-License-Identifier: Apache-2.0 */
/* The contract suite on pool devices over PoCL, every policy. */
#include <stdio.h>

#include <berth/open.h>
#include <berth/pool_device.h>

#include "contract.h"
#include "opencl_driver.h"

static berth_status open_pooled(berth_device **out, void *userdata)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_device *inner;
	berth_status st = berth_device_open(&inner, "opencl:Portable Computing Language", NULL);

	if (st != BERTH_OK)
		return st;
	options.policy = *(const berth_pool_policy *)userdata;
	st = berth_pool_device_create(out, inner, &options);
	if (st != BERTH_OK)
		berth_device_destroy(inner);
	return st;
}

int main(void)
{
	int worst = 0;

	if (!opencl_driver_select(&opencl_drivers[0]))
		return 77;
	for (unsigned i = 0; i < BERTH_POOL_POLICY_END; i++) {
		berth_pool_policy policy = (berth_pool_policy)i;
		const struct contract_device device = { .open = open_pooled, .userdata = &policy };
		char suite[96];
		int status;

		snprintf(suite, sizeof(suite), "contract: pool(%s, PoCL)",
			 berth_pool_policy_string(policy));
		status = contract_main(suite, &device);
		if (status > worst)
			worst = status;
	}
	return worst;
}
