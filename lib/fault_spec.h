/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault device is to fail: internal checks. */
#ifndef BERTH_LIB_FAULT_SPEC_H
#define BERTH_LIB_FAULT_SPEC_H

#include <berth/fault.h>

/* BERTH_E_INVAL: the detail says which fault makes no sense, and what is allowed. */
berth_status berth__fault_check(const berth_fault_spec *spec);

#endif
