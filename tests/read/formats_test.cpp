// One table by chance, written in every format and in the spellings that programs use: the rows that are read are the
// same numbers, bit for bit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "read/files.hpp"
#include "read/zip_maker.hpp"
#include "support/data.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using tare::detail::read::Fold;
using tare::detail::testing::Folder;
using tare::detail::testing::gzipped;
using tare::detail::testing::must;
using tare::detail::testing::npy_of;
using tare::detail::testing::npy_text;
using tare::detail::testing::raw;
using tare::detail::testing::tensors;
using tare::detail::testing::zip_of;
using Strings = std::vector<std::string>;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

struct LogitRows {
  std::size_t k = 0;
  Floats logits = {};  // row by row
  Ints labels = {}, weights = {};
  Strings site = {};
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] LogitRows part(std::size_t begin, std::size_t end) const {
    const auto of = [&](const auto& v, std::size_t width) {
      return std::decay_t<decltype(v)>(v.begin() + static_cast<std::ptrdiff_t>(begin * width),
                                       v.begin() + static_cast<std::ptrdiff_t>(end * width));
    };
    return {k, of(logits, k), of(labels, 1), of(weights, 1), of(site, 1)};
  }
};

LogitRows any_rows() {
  LogitRows out{.k = *rc::gen::inRange<std::size_t>(2, 5)};
  const auto rows = *rc::gen::inRange<std::size_t>(out.k, 12);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < out.k; ++j)
      out.logits.push_back(static_cast<float>(*rc::gen::inRange(-100000, 100000)) / 4096.0F);
    out.labels.push_back(i < out.k ? static_cast<int>(i) : *rc::gen::inRange(0, static_cast<int>(out.k)));
    out.weights.push_back(*rc::gen::inRange(1, 9));
    out.site.push_back(*rc::gen::element<std::string>("north", "south", "007"));
  }
  return out;
}

std::string all_digits(float x) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", static_cast<double>(x));
  return out;
}

// --- writers ---

struct Spelling {
  std::string separator = ",", end = "\n", quote = {}, before = {};
  bool last_end = true;
};

std::string csv_of(const LogitRows& t, const Spelling& how = {}) {
  std::string out = how.before;
  const auto line = [&](const Strings& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? how.separator : "") + how.quote + cells[i] + how.quote;
    out += how.end;
  };
  Strings head;
  for (std::size_t j = 0; j < t.k; ++j) head.push_back("logit_" + std::to_string(j));
  head.insert(head.end(), {"label", "weight", "site"});
  line(head);
  for (std::size_t i = 0; i < t.rows(); ++i) {
    Strings cells;
    for (std::size_t j = 0; j < t.k; ++j) cells.push_back(all_digits(t.logits[i * t.k + j]));
    cells.insert(cells.end(), {std::to_string(t.labels[i]), std::to_string(t.weights[i]), t.site[i]});
    line(cells);
  }
  if (!how.last_end) out.resize(out.size() - how.end.size());
  return out;
}

std::string jsonl_of(const LogitRows& t, bool list) {
  std::string out = list ? "[" : "";
  for (std::size_t i = 0; i < t.rows(); ++i) {
    out += (list && i ? std::string(",\n") : std::string()) + "{\"logits\": [";
    for (std::size_t j = 0; j < t.k; ++j) out += (j ? ", " : "") + all_digits(t.logits[i * t.k + j]);
    out += "], \"label\": " + std::to_string(t.labels[i]) + ", \"weight\": " + std::to_string(t.weights[i]) +
           ", \"site\": \"" + t.site[i] + "\"}" + (list ? "" : "\n");
  }
  return out + (list ? "]" : "");
}

std::string shape_of(std::size_t rows, std::size_t columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

std::string logits_npy(const LogitRows& t, bool by_columns) {
  if (!by_columns) return npy_of(t.logits, shape_of(t.rows(), t.k));
  Floats turned;
  for (std::size_t j = 0; j < t.k; ++j)
    for (std::size_t i = 0; i < t.rows(); ++i) turned.push_back(t.logits[i * t.k + j]);
  return npy_text("<f4", shape_of(t.rows(), t.k), raw(turned), "True");
}

std::string npz_of(const LogitRows& t, std::uint16_t method, bool by_columns) {
  const std::string rows = "(" + std::to_string(t.rows()) + ",)";
  return zip_of({{"logits.npy", logits_npy(t, by_columns), method},
                 {"labels.npy", npy_of(t.labels, rows), method},
                 {"weights.npy", npy_of(t.weights, rows), method}});
}

std::string safetensors_of(const LogitRows& t) {
  const std::string logits = raw(t.logits), labels = raw(t.labels), weights = raw(t.weights);
  const auto entry = [](const std::string& name, const char* type, const std::string& dims, std::size_t from,
                        std::size_t size) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + dims + "],\"data_offsets\":[" +
           std::to_string(from) + "," + std::to_string(from + size) + "]}";
  };
  const std::string n = std::to_string(t.rows());
  return tensors("{" + entry("logits", "F32", n + "," + std::to_string(t.k), 0, logits.size()) + "," +
                     entry("labels", "I32", n, logits.size(), labels.size()) + "," +
                     entry("weights", "I32", n, logits.size() + labels.size(), weights.size()) + "}",
                 logits + labels + weights);
}

// --- what is expected of each ---

void expect_rows(const LogitRows& t, const Predictions& p) {
  RC_ASSERT(p.kind == Kind::logits);
  RC_ASSERT(p.n == t.rows());
  RC_ASSERT(p.k == t.k);
  for (std::size_t i = 0; i < t.logits.size(); ++i)
    RC_ASSERT(p.matrix->values()[i] == static_cast<double>(t.logits[i]));
  RC_ASSERT(std::equal(t.labels.begin(), t.labels.end(), p.matrix->label().begin(), p.matrix->label().end()));
  RC_ASSERT(std::equal(t.weights.begin(), t.weights.end(), p.matrix->weight().begin(), p.matrix->weight().end()));
}

void expect_sites(const LogitRows& t, const Predictions& p) {
  RC_ASSERT(p.groupings.size() == 1U);
  const auto& grouping = p.groupings[0];
  for (std::size_t i = 0; i < t.rows(); ++i)
    RC_ASSERT(grouping.names[static_cast<std::size_t>(grouping.of_row[i])] == t.site[i]);
}

RC_GTEST_PROP(formats, tables_of_any_spelling_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a.csv", csv_of(t)},
      {"b.csv", csv_of(t, {.separator = ";", .end = "\r\n"})},
      {"c.tsv", csv_of(t, {.separator = "\t", .last_end = false})},
      {"d.csv", csv_of(t, {.quote = "\"", .before = "\xef\xbb\xbf"})},
      {"e.txt", csv_of(t, {.separator = " "})},
      {"f.csv.gz", gzipped(csv_of(t))},
      {"g.jsonl", jsonl_of(t, false)},
      {"h.json", jsonl_of(t, true)},
      {"i.jsonl.gz", gzipped(jsonl_of(t, false))},
  };
  for (const auto& [name, content] : files) {
    Fold names{.files = {folder.write(name, content)}, .weights = "weight", .groups = {"site"}};
    if (name == "e.txt") {
      names.reading.format = "csv";
      names.reading.delimiter = "space";
    }
    const Predictions p = must(read::all_rows(names));
    expect_rows(t, p);
    expect_sites(t, p);
  }
}

RC_GTEST_PROP(formats, arrays_of_any_layout_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  for (const bool by_columns : {false, true}) {
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}})
      expect_rows(t, must(read::all_rows(
                         {.files = {folder.write("a.npz", npz_of(t, method, by_columns))}, .weights = "weights"})));
    const std::string rows = "(" + std::to_string(t.rows()) + ",)";
    expect_rows(t, must(read::all_rows({.logits = folder.write("z.npy", logits_npy(t, by_columns)),
                                        .labels = folder.write("y.npy", npy_of(t.labels, rows)),
                                        .weights = folder.write("w.npy", npy_of(t.weights, rows))})));
  }
  expect_rows(
      t, must(read::all_rows({.files = {folder.write("a.safetensors", safetensors_of(t))}, .weights = "weights"})));
}

RC_GTEST_PROP(formats, files_cut_anywhere_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  const auto first = *rc::gen::inRange<std::size_t>(1, t.rows()),
             second = *rc::gen::inRange<std::size_t>(first, t.rows());
  const std::array<std::pair<std::size_t, std::size_t>, 3> cuts = {{{0, first}, {first, second}, {second, t.rows()}}};
  Strings tables, lists, arrays;
  for (const auto& [begin, end] : cuts) {
    if (begin == end) continue;
    const LogitRows part = t.part(begin, end);
    const std::string name = "part" + std::to_string(begin);
    tables.push_back(folder.write(name + ".csv", csv_of(part)));
    lists.push_back(folder.write(name + ".jsonl", jsonl_of(part, false)));
    arrays.push_back(folder.write(name + ".npz", npz_of(part, 8, false)));
  }
  for (const Strings& files : {tables, lists}) {
    const Predictions p = must(read::all_rows({.files = files, .weights = "weight", .groups = {"site"}}));
    expect_rows(t, p);
    expect_sites(t, p);
  }
  expect_rows(t, must(read::all_rows({.files = arrays, .weights = "weights"})));
}

}  // namespace
