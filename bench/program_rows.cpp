// The whole program on mapped .npy files, and what resampling adds to a survey.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"

namespace tare::detail::bench {
namespace {

template <class T>
void write_npy(const std::filesystem::path& path, const char* type, std::span<const T> values) {
  std::string header = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(values.size()) + ",), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream out(path, std::ios::binary);
  out << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size() & 255)
      << static_cast<char>(header.size() >> 8) << header;
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

// A directory that goes when the last user goes.
struct Scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tare_bench." + std::to_string(getpid()));
  Scratch() { std::filesystem::create_directories(path); }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

void time_survey(Table& table, const std::string& name, std::size_t n, bool resample) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<float>(n, Shape::piled);
        auto p = std::make_shared<Predictions>();
        p->kind = Kind::confidences;
        p->n = n;
        p->confidences = rows->view();
        p->owners.push_back(rows);
        return [=] {
          const auto s = analysis::survey(*p, {.resample = resample});
          sink = s ? static_cast<double>(s->measured.size()) : 0;
        };
      },
      Clock::cpu, 2);
}

// The test that decides, and the error it could have detected.
void time_verdict(Table& table, const std::string& name, std::size_t n) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<float>(n, Shape::piled);
        return [=] {
          const auto t = analysis::test_sample(rows->view(), {.statistics = {"smooth_test"}});
          sink = t ? t->verdict.p_value.value_or(0) : 0;
        };
      },
      Clock::cpu, 2);
}

}  // namespace

void add_program(Table& table) {
  const std::size_t n = table.rows(1e6);
  time_survey(table, "survey", n, false);
  time_survey(table, "survey/resampled", n, true);
  time_verdict(table, "verdict", n);
  table.line(
      "1000 resamples of every estimator", n, "survey/resampled",
      [](const Times& t) { return t("survey/resampled") - t("survey") - t("verdict"); }, "s", Goal::at_most, 0.6);
  table.line(
      "the verdict: sort, test, detectable error", n, "verdict", [](const Times& t) { return t("verdict"); }, "s",
      Goal::at_most, 0.8);
#if defined(TARE_PROGRAM)
  table.time(
      "tare measure",
      [n] {
        auto scratch = std::make_shared<Scratch>();
        auto rows = make_rows<float>(n, Shape::piled);
        write_npy<float>(scratch->path / "confidences.npy", "<f4", rows->score);
        write_npy<std::uint8_t>(scratch->path / "correct.npy", "|u1", rows->label);
        const std::string command = std::string(TARE_PROGRAM) + " measure --confidences '" +
                                    (scratch->path / "confidences.npy").string() + "' --correct '" +
                                    (scratch->path / "correct.npy").string() + "' > /dev/null";
        return [=, kept = scratch] {
          if (std::system(command.c_str()) != 0) std::abort();
        };
      },
      Clock::wall, 3);
  table.line(
      "tare measure, everything, from .npy", n, "tare measure", [](const Times& t) { return t("tare measure"); }, "s",
      Goal::at_most, 1);
#endif
}

}  // namespace tare::detail::bench
