/* SPDX-License-Identifier: Apache-2.0 */
/* The device contract on a checker: two simulators, which never differ. */
#include "contract.h"

#include <berth/checker.h>
#include <berth/sim.h>

static berth_status open_checker(berth_device **out, void *userdata)
{
	berth_device *subject = NULL, *reference = NULL;
	berth_profile profile;
	berth_status st;

	(void)userdata;
	if ((st = berth_profile_load(&profile, "spec-minimum")) != BERTH_OK ||
	    (st = berth_sim_create(&subject, &profile, NULL)) != BERTH_OK ||
	    (st = berth_sim_create(&reference, &profile, NULL)) != BERTH_OK ||
	    (st = berth_checker_create(out, subject, reference)) != BERTH_OK) {
		berth_device_destroy(subject);
		berth_device_destroy(reference);
	}
	return st;
}

int main(void)
{
	const struct contract_device device = { .open = open_checker };

	return contract_main("contract: checker", &device);
}
