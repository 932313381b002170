/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenCL driver that crashes when the loader loads it. */
#include <stdlib.h>

__attribute__((constructor)) static void crash(void)
{
	abort();
}
