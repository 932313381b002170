/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and names that the program gives (berth/mark.h). */
#ifndef BERTH_LAYER_LAYER_MARK_H
#define BERTH_LAYER_LAYER_MARK_H

/* The functions behind a name that is fetched as an extension's; NULL: another name. */
void *berth__mark_functions(const char *name);

#endif
