# SPDX-License-Identifier: Apache-2.0
"""An OpenCV UMat pipeline on images of changing width: a program that opens libOpenCL at run time.

Usage: OPENCV_OPENCL_DEVICE=:CPU: python3 opencv_umat.py [ROUNDS]
"""
import sys

import cv2
import numpy

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    sys.exit("OpenCV finds no OpenCL device")

total = 0
for number in range(rounds):
    width, height = 320 + 16 * (number % 5), 240
    picture = numpy.full((height, width, 3), number, numpy.uint8)
    picture[:, ::8] = 255
    on_device = cv2.UMat(picture)
    grey = cv2.cvtColor(on_device, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (5, 5), 1.5)
    small = cv2.resize(soft, (width // 2, height // 2))
    edges = cv2.Canny(small, 50, 150)
    total += int(cv2.add(edges, small).get().sum())
print(total)
