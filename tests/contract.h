/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract suite: what device.h and op.h promise of every device, simulated
 * or on a driver, stacked or not. It asserts nothing that conforming drivers may
 * answer differently, and no code where drivers are known to differ.
 */
#ifndef BERTH_TEST_CONTRACT_H
#define BERTH_TEST_CONTRACT_H

#include <berth/device.h>

/* A test of the suite that a device is excused from, and why. */
struct contract_skip {
	const char *test;
	const char *reason;
};

struct contract_device {
	/* Make a fresh device; called once a test. */
	berth_status (*open)(berth_device **out, void *userdata);
	void *userdata;
	/* The device is the specification: it refuses what the specification refuses. */
	bool conforms;
	/* The device keeps no content: content is not checked. */
	bool ghost;
	/* Ends with a NULL test; may be NULL. */
	const struct contract_skip *skip;
};

/* Run the suite; returns main()'s exit status, as test_main(). */
int contract_main(const char *suite, const struct contract_device *device);

#endif
