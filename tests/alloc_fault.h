/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations that fail on demand and are counted, in a program linked with
 * $(ALLOC_FAULT_LINK): those that Berth and the test ask for themselves, not
 * those of shared libraries. One thread.
 */
#ifndef BERTH_TEST_ALLOC_FAULT_H
#define BERTH_TEST_ALLOC_FAULT_H

#include <stdbool.h>

/* Let the @n-th allocation from now on fail, once; from 1. */
void alloc_fault_arm(unsigned n);

/* Stop it; whether an allocation was made to fail. */
bool alloc_fault_disarm(void);

/* How many allocations are not freed yet. */
long alloc_fault_live(void);

#endif
