#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, as pedantic C17 and as C++11 (where there is a C++ compiler).
set -u
: "${srcdir:=.}" "${CC:=cc}"
headers=$srcdir/include/berth
failed=0

compile() { # language, compiler, header
	$2 -I"$srcdir/include" -Wall -Wextra -pedantic -Werror -fsyntax-only -x "$1" "$3" || {
		echo "FAILED: $3 as $1"
		failed=1
	}
}

cxx=$(command -v c++ || command -v g++ || command -v clang++) || echo "SKIP: C++: no compiler"
for header in "$headers"/*.h; do
	compile c "$CC -std=c17" "$header"
	[ -z "$cxx" ] || compile c++ "$cxx -std=c++11" "$header"
done
exit $failed
