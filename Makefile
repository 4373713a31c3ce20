# make demo      measure a real network, and write a report about it
# make test      build everything and run every test
# make sanitize  the tests under AddressSanitizer + UBSan, the threaded ones under ThreadSanitizer
# make clang     the second compiler, and every fuzz target for a moment
# make bench     the benchmarks, with their ratios to the machine's limits
# make install   the program, the library, its CMake package and the sample networks (PREFIX=/usr/local)
# make clean     remove build/
#
# Each target first installs the Debian packages of apt.txt that are missing. The second run does neither that nor a rebuild.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
sudo := $(if $(filter 0,$(shell id -u)),,sudo)
say = @printf '\033[1m==\033[0m %s\n'
ifneq ($(NO_COLOR)$(filter dumb,$(TERM)),)
say = @printf '== %s\n'
endif

.DEFAULT_GOAL := demo
.PHONY: demo test sanitize clang bench install clean packages-build packages-test packages-bench packages-browser

# packages-WHEN: install what apt.txt lists for WHEN and dpkg does not have.
packages-%:
	@command -v dpkg-query >/dev/null || { echo "== packages: no dpkg here, taking apt.txt as installed"; exit 0; }; \
	missing=; for p in $$(awk '$$2 == "$*" { print $$1 }' apt.txt); do \
	  [ "$$(dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing+=" $$p"; done; \
	[ -n "$$missing" ] || exit 0; \
	echo "== packages: installing$$missing"; \
	$(sudo) apt-get update -qq; \
	$(sudo) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null

# $(call build,PRESET[,TARGET]): configure once, then let ninja find what changed.
build = @test -f build/$(1)/build.ninja || cmake --preset $(1) >/dev/null; cmake --build build/$(1) -j $(JOBS) $(addprefix --target ,$(2)) -- --quiet

# The rooms whose tests start threads.
threaded := tare_cli numeric_tests reduce_tests read_tests fit_tests simulate_tests infer_tests paper_tests cli_tests

demo: packages-build
	$(say) "build: release (build/release/tare)"
	$(call build,release)
	$(say) "run: tare demo"
	@build/release/tare demo
	$(say) "run: tare report data/resnet110_cifar10.npz --replicates 200 -o build/report.html"
	@build/release/tare report data/resnet110_cifar10.npz --replicates 200 -o build/report.html --quiet
	$(say) "the report: file://$(CURDIR)/build/report.html"

test: packages-build packages-test $(if $(filter true,$(CI)),packages-browser)
	$(say) "build: dev, warnings are errors (build/dev)"
	$(call build,dev)
	$(say) "test: every test"
	@ctest --preset dev -j $(JOBS) --progress

sanitize: packages-build packages-test
	$(say) "build: AddressSanitizer + UndefinedBehaviorSanitizer (build/asan)"
	$(call build,asan)
	$(say) "test: every test, under asan"
	@ctest --preset asan -j $(JOBS) --progress
	$(say) "build: ThreadSanitizer (build/tsan)"
	$(call build,tsan,$(threaded))
	$(say) "test: those that start threads, under tsan, no suppressions"
	@ctest --preset tsan -j $(JOBS) --progress

clang: packages-build packages-test
	$(say) "build: clang 14, warnings are errors, with the fuzz targets (build/clang)"
	$(call build,clang)
	$(say) "test: every test, built by clang"
	@ctest --preset clang -j $(JOBS) --progress
	$(say) "fuzz: each format for ten seconds"
	@for format in npy npz csv; do mkdir -p build/clang/found/$$format; \
	  build/clang/fuzz/fuzz_$$format build/clang/found/$$format fuzz/corpus/$$format -max_total_time=10 -verbosity=0; done

bench: packages-build packages-bench
	$(say) "build: benchmarks (build/bench)"
	$(call build,bench)
	$(say) "run: benchmarks"
	@build/bench/bench/tare_bench

install: packages-build
	$(say) "build: release (build/release)"
	$(call build,release)
	$(say) "install: into $(PREFIX)"
	@cmake --install build/release --prefix $(PREFIX) >/dev/null

clean:
	$(say) "clean: build/"
	@rm -rf build
