// One table by chance, written in every format and in the spellings that programs use: the rows that are read are the
// same numbers, bit for bit; whole, in files cut anywhere, in pieces of any size. Damaged files are answered.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "read/written_tables.hpp"
#include "support/data.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using tare::detail::read::Dataset;
using tare::detail::read::Fold;
using tare::detail::testing::any_rows;
using tare::detail::testing::array_files;
using tare::detail::testing::csv_of;
using tare::detail::testing::Folder;
using tare::detail::testing::jsonl_of;
using tare::detail::testing::LogitRows;
using tare::detail::testing::logits_npy;
using tare::detail::testing::must;
using tare::detail::testing::npy_of;
using tare::detail::testing::npz_of;
using tare::detail::testing::text_files;
using tare::detail::testing::WrittenFile;
using Strings = std::vector<std::string>;

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

Fold text_fold(const Folder& folder, const WrittenFile& file) {
  Fold out{.files = {folder.write(file.name, file.content)}, .weights = "weight", .groups = {"site"}};
  if (file.name.ends_with(".txt")) {
    out.reading.format = "csv";
    out.reading.delimiter = "space";
  }
  return out;
}

Fold array_fold(const Folder& folder, const WrittenFile& file) {
  return {.files = {folder.write(file.name, file.content)}, .weights = "weights"};
}

RC_GTEST_PROP(formats, tables_of_any_spelling_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  for (const WrittenFile& file : text_files(t)) {
    const Predictions p = must(read::all_rows(text_fold(folder, file)));
    expect_rows(t, p);
    expect_sites(t, p);
  }
}

RC_GTEST_PROP(formats, arrays_of_any_layout_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  for (const WrittenFile& file : array_files(t)) expect_rows(t, must(read::all_rows(array_fold(folder, file))));
  const std::string rows = "(" + std::to_string(t.rows()) + ",)";
  for (const bool by_columns : {false, true})
    expect_rows(t, must(read::all_rows({.logits = folder.write("z.npy", logits_npy(t, by_columns)),
                                        .labels = folder.write("y.npy", npy_of(t.labels, rows)),
                                        .weights = folder.write("w.npy", npy_of(t.weights, rows))})));
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

// What read_pieces gives, one after the other, is what read gives: in pieces of a few bytes or rows, or of all.
RC_GTEST_PROP(formats, pieces_of_any_size_are_the_same_rows, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  const auto bytes = *rc::gen::element<std::size_t>(1, 100, 1000000), rows = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<Fold> folds;
  for (const WrittenFile& file : text_files(t)) folds.push_back(text_fold(folder, file));
  for (const WrittenFile& file : array_files(t)) folds.push_back(array_fold(folder, {"x" + file.name, file.content}));
  for (const Fold& names : folds) {
    LogitRows got{.k = t.k};
    const auto each = [&](const Predictions& p) -> Result<void> {
      for (std::size_t i = 0; i < p.n * p.k; ++i) got.logits.push_back(static_cast<float>(p.matrix->values()[i]));
      got.labels.insert(got.labels.end(), p.matrix->label().begin(), p.matrix->label().end());
      for (const double w : p.matrix->weight()) got.weights.push_back(static_cast<std::int32_t>(w));
      return {};
    };
    must(must(Dataset::open(names)).read_pieces(each, 1, {.rows = rows, .bytes = bytes}));
    RC_ASSERT(got.logits == t.logits);
    RC_ASSERT(got.labels == t.labels);
    RC_ASSERT(got.weights == t.weights);
  }
}

// Bytes that are changed, or cut off: rows that can be used, or an error with a remedy.
RC_GTEST_PROP(formats, damaged_files_are_answered, ()) {
  const Folder folder;
  const LogitRows t = any_rows();
  std::vector<WrittenFile> files = text_files(t), arrays = array_files(t);
  files.insert(files.end(), arrays.begin(), arrays.end());
  for (WrittenFile& file : files) {
    const int times = *rc::gen::inRange(0, 4);
    for (int i = 0; i < times; ++i)
      file.content[*rc::gen::inRange<std::size_t>(0, file.content.size())] =
          static_cast<char>(*rc::gen::inRange(0, 256));
    if (*rc::gen::arbitrary<bool>()) file.content.resize(*rc::gen::inRange<std::size_t>(0, file.content.size()));
    const auto p = read::all_rows({.files = {folder.write("x" + file.name, file.content)}});
    if (!p) {
      RC_ASSERT(!sentence(p.error()).empty());
      RC_ASSERT(!p.error().remedy.empty());
      continue;
    }
    RC_ASSERT(p->n > 0U);
    if (!p->matrix) continue;
    for (const std::int32_t label : p->matrix->label())
      RC_ASSERT(label >= 0 && static_cast<std::size_t>(label) < std::max<std::size_t>(p->k, 2));
    for (std::size_t i = 0; i < p->n * p->matrix->columns(); ++i) RC_ASSERT(std::isfinite(p->matrix->values()[i]));
  }
}

}  // namespace
