// What the fuzzers and the replay of their corpus do with a file: parse it, convert everything in
// it to every type, touch every number.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/csv.hpp"
#include "tare/read/dataset.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/npy.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/safetensors.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::fuzz {

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
  static_cast<void>(lines->read(single, {.missing = true}).has_value());
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
  for (auto at = lines->begin(); !lines->is_end(at);)
    if (!lines->read(single, {}, at, 7)) break;
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

// One or two files, one after the other: the whole, and pieces of any size, are the same rows. The first byte says what
// the files are and how long pieces are, the second where the first file ends.
inline bool dataset(Bytes bytes) {
  if (bytes.size() < 3) return false;
  const auto how = std::to_integer<unsigned>(bytes[0]), cut = std::to_integer<unsigned>(bytes[1]);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + 2, bytes.size() - 2);
  const char* const endings[] = {".csv", ".jsonl", ".csv.gz", ".npz"};
  const std::size_t first = cut == 0 ? text.size() : std::min<std::size_t>(text.size(), 4 * std::size_t{cut});
  const std::string stem =
      (std::filesystem::temp_directory_path() / ("tare-fuzz-" + std::to_string(::getpid()))).string();
  read::Fold fold{.reading = {.drop_missing = (how & 4U) != 0}};
  for (const std::string_view part : {text.substr(0, first), text.substr(first)}) {
    if (part.empty()) continue;
    fold.files.push_back(stem + "-" + std::to_string(fold.files.size()) + endings[how & 3U]);
    std::ofstream(fold.files.back(), std::ios::binary) << part;
  }
  const auto rows = [](const Predictions& p) {
    std::vector<double> out;
    (p.matrix ? p.matrix->values() : p.confidences->score()).visit([&](auto values) {
      out.assign(values.begin(), values.end());
    });
    if (p.matrix)
      out.insert(out.end(), p.matrix->label().begin(), p.matrix->label().end());
    else
      out.insert(out.end(), p.confidences->label().begin(), p.confidences->label().end());
    std::sort(out.begin(), out.end());
    return out;
  };
  bool read_all = false;
  if (const auto data = read::Dataset::open(fold)) {
    std::vector<double> pieces;
    const auto done = data->read_pieces(
        [&](const Predictions& p) -> Result<void> {
          const auto more = rows(p);
          pieces.insert(pieces.end(), more.begin(), more.end());
          return {};
        },
        1, {.rows = 1 + (how >> 4), .bytes = 1 + 3 * std::size_t{how >> 4}});
    const auto whole = data->read();
    std::sort(pieces.begin(), pieces.end());
    read_all = whole.has_value();
    if (done && whole && pieces != rows(*whole)) std::abort();
    if (done.has_value() != whole.has_value() && fold.files.size() == 1) std::abort();
  }
  for (const std::string& file : fold.files) std::filesystem::remove(file);
  return read_all;
}

inline bool gzip(Bytes bytes) {
  const auto unpacked = read::gunzip(bytes, "x.csv.gz");
  return unpacked && csv(unpacked->bytes);
}

// Logs of language models, each as what it seems to be and as everything else.
inline bool llm(Bytes bytes) {
  using read::Records;
  using read::llm::LogKind;
  const bool zip = bytes.size() > 1 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
  const auto kind = read::llm::recognised(bytes);
  bool accepted = false;
  const auto keep = [&](const Result<Records>& records, bool meant) {
    if (!records) return;
    accepted = accepted || meant;
    for (const auto& array : records->arrays) {
      volatile double sum = touched(array);
      static_cast<void>(sum);
    }
  };
  for (const bool other : {false, true}) {
    const read::Reading reading{.drop_missing = other,
                                .options = {"A", "B", "yes"},
                                .confidence_from = other ? "scores.choice.metadata.confidence" : "",
                                .length_normalized = other};
    if (zip) {
      keep(read::llm::inspect(bytes, true, "x.eval", reading), true);
      continue;
    }
    for (const LogKind log : {LogKind::harness, LogKind::inspect, LogKind::batch})
      keep(read::llm::open(log, bytes, "x.jsonl", reading), kind == log);
  }
  return accepted;
}

}  // namespace tare::detail::fuzz
