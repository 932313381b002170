// SPDX-License-Identifier: Apache-2.0
// Vectors and a matrix of ViennaCL, whose handles retain and release all the time.
#define VIENNACL_WITH_OPENCL
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <cstdio>
#include <vector>

int main()
{
	const unsigned n = 64;
	std::vector<float> host(n, 2.0f);
	viennacl::vector<float> x(n), y(n), z(n);
	viennacl::matrix<float> a = viennacl::scalar_matrix<float>(n, n, 0.5f);

	viennacl::copy(host.begin(), host.end(), x.begin());
	y = x;
	y += 3.0f * x;
	z = viennacl::linalg::prod(a, y);
	float product = viennacl::linalg::inner_prod(x, z), norm = viennacl::linalg::norm_2(y);
	viennacl::copy(z.begin(), z.end(), host.begin());
	std::printf("%g %g %g\n", host[0], product, norm);
	return 0;
}
