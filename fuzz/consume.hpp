// What the fuzzers and the replay of their corpus do with a file: parse it, convert everything in
// it to every type, touch every number.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/csv.hpp"
#include "tare/read/gzip.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/npy.hpp"
#include "tare/read/npz.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/safetensors.hpp"

namespace tare::inner::fuzz {

using Bytes = std::span<const std::byte>;

inline double touched(const read::Array& array) {
  double sum = 0;
  const auto add = [&sum](const auto& result) {
    if (result)
      for (const auto x : result->values) sum += static_cast<double>(x);
  };
  if (const auto m = read::to_matrix(array))
    m->values.visit([&sum](auto values) {
      for (const auto x : values) sum += static_cast<double>(x);
    });
  add(read::to_labels(array));
  add(read::to_hits(array));
  add(read::to_weights(array));
  return sum;
}

// True if the file was acceptable.
inline bool npy(Bytes bytes) {
  const auto array = read::parse_npy(bytes, "x.npy");
  if (!array) return false;
  volatile double keep = touched(*array);
  static_cast<void>(keep);
  return true;
}

inline bool npz(Bytes bytes) {
  const auto archive = read::Npz::open(bytes, "x.npz");
  if (!archive) return false;
  bool all = true;
  for (std::size_t i = 0; i < archive->names().size(); ++i) {
    const auto array = archive->read(i);
    all = all && array.has_value();
    if (!array) continue;
    volatile double keep = touched(*array);
    static_cast<void>(keep);
  }
  return all;
}

// Every column by itself, then all but the last as probabilities and the last as labels.
inline bool csv(Bytes bytes) {
  const auto table = read::Csv::open(bytes, "x.csv");
  if (!table) return false;
  const auto& names = table->names();
  if (names.size() <= 16)  // slow with many columns, and no different
    for (const auto role : read::all_roles)
      for (const char* split : {"", "val_", "test_"}) static_cast<void>(read::plays(names, role, split, true));
  for (const char* text : {"p*_*", "p_[0-9]*", "0-9", "p?,[!a-c]*", "a-b"}) static_cast<void>(read::named(names, text));
  std::vector<read::CsvGroup> single;
  for (std::size_t c = 0; c < names.size() && c < 8; ++c) single.push_back(read::CsvGroup{{c}, true});
  const auto columns = table->read(single);
  if (!columns) return false;
  for (const auto& a : *columns) {
    volatile double keep = touched(a);
    static_cast<void>(keep);
  }
  if (names.size() < 2) return true;
  read::CsvGroup most{std::vector<std::size_t>(names.size() - 1)};
  std::iota(most.columns.begin(), most.columns.end(), std::size_t{0});
  auto fold = table->read(std::vector<read::CsvGroup>{most, {{names.size() - 1}, true}});
  if (!fold) return true;
  read::Parts parts;
  parts.class_names.assign(names.begin(), names.end() - 1);
  parts[read::Role::probs] = std::move((*fold)[0]);
  parts[read::Role::labels] = std::move((*fold)[1]);
  static_cast<void>(read::assemble(parts).has_value());
  return true;
}

// Every member by itself, then as predictions.
inline bool jsonl(Bytes bytes) {
  auto lines = read::Jsonl::open(bytes, "x.jsonl");
  if (!lines) return false;
  const auto& names = lines->names();
  std::vector<read::CsvGroup> single;
  for (std::size_t c = 0; c < names.size() && c < 8; ++c) single.push_back(read::CsvGroup{{c}, true});
  static_cast<void>(lines->read(single, true).has_value());
  const auto columns = lines->read(single);
  if (columns)
    for (const auto& a : *columns) {
      volatile double keep = touched(a);
      static_cast<void>(keep);
    }
  if (columns && names.size() == 2) {
    read::Parts parts{.reading = {.renormalize = true}};
    parts.class_names = (*columns)[0].classes;
    parts[read::Role::probs] = (*columns)[0];
    parts[read::Role::labels] = (*columns)[1];
    static_cast<void>(read::assemble(parts).has_value());
  }
  while (lines->bytes() > 0) static_cast<void>(lines->take_front(7).read(single).has_value());
  return columns.has_value();
}

inline bool safetensors(Bytes bytes) {
  const auto file = read::Tensors::open(bytes, "x.safetensors");
  if (!file) return false;
  bool all = true;
  for (std::size_t i = 0; i < file->names().size(); ++i) {
    const auto array = file->read(i);
    all = all && array.has_value();
    if (!array) continue;
    volatile double keep = touched(*array);
    static_cast<void>(keep);
  }
  return all;
}

inline bool gzip(Bytes bytes) {
  const auto unpacked = read::gunzip(bytes, "x.csv.gz");
  return unpacked && csv(unpacked->bytes);
}

}  // namespace tare::inner::fuzz
