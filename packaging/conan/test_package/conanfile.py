"""An example of examples/cpp, built against the package and run."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Example(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            network = os.path.join(self.recipe_folder, "..", "..", "..", "data", "resnet110_cifar10.npz")
            self.run(f"{os.path.join(self.cpp.build.bindir, 'measure_file')} {network} test", env="conanrun")
