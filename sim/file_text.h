/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files of text. */
#ifndef BERTH_SIM_FILE_TEXT_H
#define BERTH_SIM_FILE_TEXT_H

#include <berth/status.h>

/*
 * Read a file, with a NUL behind it; zero bytes in it are the caller's matter.
 * @p what says in messages what it should be, as "a profile".
 * *out: free(). BERTH_E_IO, BERTH_E_NOMEM; BERTH_E_FORMAT: more than @p bytes_max.
 */
berth_status berth__file_text(char **out, size_t *bytes, const char *path, const char *what,
			      uint64_t bytes_max);

#endif
