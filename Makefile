# make demo      measure a real network, and write a report about it
# make test      build everything and run every test, of C++ and of Python
# make python    the Python package in a virtual environment (build/venv), built from the objects of build/dev
# make sanitize  the tests under AddressSanitizer + UBSan, the threaded ones under ThreadSanitizer
# make torture   everything that could break it: each documented command on each network, exact arithmetic, faults, hostile files
# make clang     the second compiler, clang-tidy (TIDY=REGEX: only those files), and every fuzz target for a moment
# make spark-test  what tare does with Spark: installs Java and pyspark, and runs the long tests, too
# make docs      the pages as a site in build/site (MkDocs Material, in build/docs-venv)
# make pictures  every picture of docs/images again, by the commands that the pages print
# make gallery   every picture and page at three widths, by day and by night and printed, on one sheet (build/gallery)
# make bench     the benchmarks, with their ratios to the machine's limits
# make gpu       the GPU library, its tests and its benchmark, where a CUDA compiler is (build/gpu)
# make gpu-test  its tests, against the CPU; where no GPU is, they are skipped and say so
# make wheel     wheels for each Python at hand (build/wheels), repaired by auditwheel and tested in empty environments
# make sdist     the source archive (build/sdist), installed by pip in an empty folder
# make dist      the static program with its pages and completions, as an archive and a Debian package (build/dist-files)
# make dist-twice  the same once more, from a copy, without a cache: are the bytes the same?
# make arm64     the program and its tests for arm64, run under qemu and compared with x86-64 (build/arm64); takes long
# make conan     the C++ library as a Conan package, shared and static, and a program that uses it
# make release-check  everything that a release needs, in order, and what is missing (DRY=1: only what does not take long; ONLY="docs wheel", SKIP="test clang")
# make install   the program, the library, its CMake package and the sample networks (PREFIX=/usr/local)
# make clean     remove build/
#
# Each target first installs the Debian packages of apt.txt that are missing. The second run does neither that nor a rebuild.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
PYTHON ?= python3
TIDY ?= $(CURDIR)/src/tare/
sudo := $(if $(filter 0,$(shell id -u)),,sudo)
# Somebody else may be installing: wait, do not fail.
patient := -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3
say = @printf '\033[1m==\033[0m %s\n'
ifneq ($(NO_COLOR)$(filter dumb,$(TERM)),)
say = @printf '== %s\n'
endif

.DEFAULT_GOAL := demo
packages := $(addprefix packages-,build test bench browser spark dist arm64)
.PHONY: docs pictures gallery demo test spark-test python venv spark dev sanitize torture clang bench gpu gpu-test wheel sdist dist dist-twice arm64 conan release-check install clean $(packages)

# packages-WHEN: install what apt.txt lists for WHEN and dpkg does not have.
# Named one by one: make looks for no pattern rule for a phony target.
$(packages): packages-%:
	@command -v dpkg-query >/dev/null || { echo "== packages: no dpkg here, taking apt.txt as installed"; exit 0; }; \
	missing=; for p in $$(awk '$$2 == "$*" { print $$1 }' apt.txt); do \
	  [[ "$$(dpkg-query -W -f='$${db:Status-Status} ' $$p 2>/dev/null)" == installed* ]] || missing+=" $$p"; done; \
	[ -n "$$missing" ] || exit 0; \
	echo "== packages: installing$$missing"; \
	$(sudo) apt-get $(patient) update -qq; \
	$(sudo) env DEBIAN_FRONTEND=noninteractive apt-get $(patient) install -y -qq --no-install-recommends $$missing >/dev/null

# $(call build,PRESET[,OPTIONS]): configure once, and again after a change of the presets, then let ninja find what changed.
build = @test build/$(1)/build.ninja -nt CMakePresets.json || cmake --preset $(1) $(2) >/dev/null; cmake --build build/$(1) -j $(JOBS) -- --quiet

demo: packages-build
	$(say) "build: release (build/release/tare)"
	$(call build,release)
	$(say) "run: tare demo"
	@build/release/tare demo
	$(say) "run: tare report data/resnet110_cifar10.npz --replicates 200 -o build/report.html"
	@build/release/tare report data/resnet110_cifar10.npz --replicates 200 -o build/report.html --quiet
	$(say) "the report: file://$(CURDIR)/build/report.html"

gallery: packages-build packages-browser
	$(say) "build: release (build/release/tare)"
	$(call build,release)
	$(say) "draw: every picture and page (build/gallery/index.html)"
	@$(PYTHON) tests/browser/gallery.py build/release/tare data build/gallery

# The virtual environment with what python/requirements.txt pins. No package index, no Python tests: said loudly, and
# with CI=true a failure.
venv := $(CURDIR)/build/venv
venv: packages-test
	@cmp -s python/requirements.txt $(venv)/requirements.txt && exit 0; \
	echo "== venv: installing python/requirements.txt into build/venv"; \
	rm -rf $(venv) && mkdir -p build && $(PYTHON) -m venv $(venv) && \
	  $(venv)/bin/pip install -q --disable-pip-version-check --no-compile --require-hashes -r python/requirements.txt && \
	  cp python/requirements.txt $(venv)/ && exit 0; \
	rm -rf $(venv); \
	echo "== !!!!!! PYTHON SKIPPED: no virtual environment could be made (is the package index out of reach?)" >&2; \
	[ "$${CI:-}" != true ]

# Spark in the same environment: large, so only where it is asked for.
spark: packages-spark venv
	@[ -d $(venv) ] || exit 0; cmp -s python/requirements-spark.txt $(venv)/requirements-spark.txt && exit 0; \
	echo "== spark: installing python/requirements-spark.txt into build/venv"; \
	$(venv)/bin/pip install -q --disable-pip-version-check --no-compile -r python/requirements-spark.txt && \
	  cp python/requirements-spark.txt $(venv)/

# The CUDA compiler, where there is one: build/dev then compiles the GPU library, too, for one kind of device.
nvcc := $(firstword $(wildcard /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))
cuda := $(if $(nvcc),ON,OFF)

# build/dev with the Python module where there is an environment for it.
dev: packages-build packages-test $(if $(filter true,$(CI)),packages-browser spark) venv
	$(say) "build: dev, warnings are errors (build/dev)"
	@wish=OFF; [ -d $(venv) ] && wish=ON; \
	{ grep -qs "TARE_PYTHON:BOOL=$$wish" build/dev/CMakeCache.txt && grep -qs "TARE_CUDA:BOOL=$(cuda)" build/dev/CMakeCache.txt && \
	  [ build/dev/build.ninja -nt CMakePresets.json ]; } || \
	  cmake --preset dev -DTARE_PYTHON=$$wish -DPython_EXECUTABLE=$(venv)/bin/python -DTARE_CUDA=$(cuda) \
	    -DCMAKE_CUDA_ARCHITECTURES=90-real >/dev/null; \
	cmake --build build/dev -j $(JOBS) -- --quiet

# pip, told to build in build/dev with its settings: everything is compiled already.
python: dev
	@[ -d $(venv) ] || exit 0; echo "== python: pip install (build/venv)"; \
	$(venv)/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall . \
	  -C build-dir=build/dev -C cmake.build-type=RelWithDebInfo -C cmake.define.TARE_TESTS=ON

test: dev python
	$(say) "test: every test"
	@TARE_PYTHON=$$([ -d $(venv) ] && echo $(venv)/bin/python || echo $(PYTHON)) ctest --preset dev -j $(JOBS) --progress

spark-test: dev spark python
	$(say) "test: Spark, the long tests, too"
	@TARE_LONG=1 TARE_PROGRAM=build/dev/tare $(venv)/bin/python -m pytest -q -p no:cacheprovider tests/python/test_spark.py

# AddressSanitizer looks at the library and the program, with the tests that dev has compiled.
sanitize: dev
	$(say) "build: AddressSanitizer + UndefinedBehaviorSanitizer (build/asan)"
	$(call build,asan,-DTARE_TEST_OBJECTS=$(CURDIR)/build/dev)
	$(say) "test: every test, under asan"
	@ctest --preset asan -j $(JOBS) --progress
	$(say) "build: ThreadSanitizer (build/tsan)"
	$(call build,tsan)
	$(say) "test: those that start threads, under tsan, no suppressions"
	@ctest --preset tsan -j $(JOBS) --progress

# A release is not one without it. `make test` runs its short form.
torture: packages-build venv
	$(say) "build: release (build/release/tare)"
	$(call build,release)
	$(say) "torture: all of it, on build/release/tare"
	@$(venv)/bin/python tests/torture/torture.py --program build/release/tare

clang: packages-build packages-test
	$(say) "build: clang 14, warnings are errors, every file by itself, with the fuzz targets (build/clang)"
	$(call build,clang)
	$(say) "clang-tidy: the checks of .clang-tidy"
	@run-clang-tidy -quiet -p build/clang -j $(JOBS) '$(TIDY)' >build/clang/tidy.txt 2>&1 || \
	  { grep -E 'error:|warning:' build/clang/tidy.txt; exit 1; }
	$(say) "test: every test, built by clang"
	@ctest --preset clang -j $(JOBS) --progress
	$(say) "fuzz: each format, and the public interface, for ten seconds"
	@for format in $(notdir $(wildcard fuzz/corpus/*)); do mkdir -p build/clang/found/$$format; \
	  build/clang/fuzz/fuzz_$$format build/clang/found/$$format fuzz/corpus/$$format -max_total_time=10 -verbosity=0 || exit 1; done

# The site, in an environment of its own: what it needs has nothing to do with the package.
docs_venv := $(CURDIR)/build/docs-venv
docs: packages-test
	@cmp -s python/requirements-docs.txt $(docs_venv)/requirements-docs.txt && exit 0; \
	echo "== docs: installing python/requirements-docs.txt into build/docs-venv"; \
	rm -rf $(docs_venv) && mkdir -p build && $(PYTHON) -m venv $(docs_venv) && \
	  $(docs_venv)/bin/pip install -q --disable-pip-version-check --require-hashes -r python/requirements-docs.txt && \
	  cp python/requirements-docs.txt $(docs_venv)/
	$(say) "docs: a broken link is an error"
	@$(PYTHON) tests/docs/links.py
	@$(PYTHON) docs/website.py && NO_MKDOCS_2_WARNING=1 $(docs_venv)/bin/mkdocs build --quiet --strict
	$(say) "the site: file://$(CURDIR)/build/site/index.html"

pictures: packages-build packages-browser
	$(say) "build: release (build/release/tare)"
	$(call build,release)
	@$(PYTHON) docs/pictures.py --program build/release/tare

bench: packages-build packages-bench
	$(say) "build: benchmarks (build/bench)"
	$(call build,bench)
	$(say) "run: benchmarks"
	@build/bench/bench/tare_bench

gpu: packages-build packages-test
	@[ -n "$(nvcc)" ] || { echo "== gpu: no CUDA compiler (nvcc) in /usr/local/cuda/bin or in PATH" >&2; exit 2; }
	$(say) "build: the GPU library, its tests and its benchmark (build/gpu)"
	$(call build,gpu,-DCMAKE_CUDA_COMPILER=$(nvcc)) tare_cuda gpu_tests gpu_bench

gpu-test: gpu
	$(say) "test: the GPU against the CPU"
	@nvidia-smi -L 2>/dev/null || echo "== !!!!!! NO GPU HERE: every test is skipped" >&2
	@build/gpu/tests/gpu_tests --gtest_brief=1

wheel: packages-build packages-test packages-dist
	@packaging/wheel.sh

sdist: packages-build packages-test
	@packaging/sdist.sh

dist: packages-build packages-dist
	@JOBS=$(JOBS) packaging/dist.sh

dist-twice: packages-build packages-dist
	@JOBS=$(JOBS) packaging/dist_twice.sh

# Debian's libraries of the other architecture lie beside those of this one.
arm64:
	@dpkg --print-foreign-architectures | grep -qx arm64 || $(sudo) dpkg --add-architecture arm64
	@$(MAKE) --no-print-directory packages-build packages-test packages-arm64
	@JOBS=$(JOBS) packaging/arm64.sh

conan: packages-build
	@PYTHON=$(PYTHON) packaging/conan/create.sh

release-check:
	@DRY='$(DRY)' ONLY='$(ONLY)' SKIP='$(SKIP)' packaging/release_check.sh

install: packages-build
	$(say) "build: release (build/release)"
	$(call build,release)
	$(say) "install: into $(PREFIX)"
	@cmake --install build/release --prefix $(PREFIX) >/dev/null

clean:
	$(say) "clean: build/"
	@rm -rf build
