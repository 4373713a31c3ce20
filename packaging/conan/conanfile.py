"""conan create packaging/conan: the C++ library as a Conan package, from this source tree."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir
from conan.tools.gnu import PkgConfigDeps

HEADERS = ("cli11/2.3.2", "nlohmann_json/3.11.2", "eigen/3.4.0", "boost/1.81.0", "random123/1.14.0")
LINKED = ("fmt/9.1.0", "zlib/[>=1.2.11 <2]", "highway/1.0.3", "simdjson/3.0.1")


class Tare(ConanFile):
    name = "tare"
    description = "whether a classifier's confidence can be believed, and how to repair it"
    license = "Apache-2.0"
    topics = ("calibration", "statistics", "machine-learning")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True, "boost/*:header_only": True}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "tare", "version.hpp"))
        self.version = re.search(r'#define TARE_VERSION "(.*)"', text).group(1)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "include/*", "src/*", "data/*", "paper/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("the C++ library is made on Linux only: joining its objects needs the binutils")

    def requirements(self):
        for name in HEADERS:
            self.requires(name, libs=False, visible=False)
        for name in LINKED:
            self.requires(name)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        settings = CMakeToolchain(self)
        settings.cache_variables["TARE_TESTS"] = False
        settings.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="tare_static" if self.options.shared else "tare")  # beside a shared one the static one is made, too

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for component in ("tare_runtime", "tare_development"):
            CMake(self).install(component=component)
        if self.options.shared:
            rm(self, "libtare.a", os.path.join(self.package_folder, "lib"))
        for made_by_conan in ("cmake", "pkgconfig"):
            rmdir(self, os.path.join(self.package_folder, "lib", made_by_conan))

    def package_info(self):
        self.cpp_info.libs = ["tare"]
        self.cpp_info.requires = ["fmt::fmt", "zlib::zlib", "highway::highway", "simdjson::simdjson"]
        self.cpp_info.system_libs = ["m", "pthread"]
        self.cpp_info.set_property("cmake_file_name", "tare")
        self.cpp_info.set_property("cmake_target_name", "tare::tare")
        self.cpp_info.set_property("pkg_config_name", "tare")
