// One table of logits in every format: rows by chance, and the bytes that programs write for them.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "read/files.hpp"
#include "read/zip_maker.hpp"

namespace tare::detail::testing {

struct LogitRows {
  std::size_t k = 0;
  std::vector<float> logits = {};  // row by row
  std::vector<std::int32_t> labels = {}, weights = {};
  std::vector<std::string> site = {};
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] LogitRows part(std::size_t begin, std::size_t end) const {
    const auto of = [&](const auto& v, std::size_t width) {
      return std::decay_t<decltype(v)>(v.begin() + static_cast<std::ptrdiff_t>(begin * width),
                                       v.begin() + static_cast<std::ptrdiff_t>(end * width));
    };
    return {k, of(logits, k), of(labels, 1), of(weights, 1), of(site, 1)};
  }
};

inline LogitRows any_rows() {
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

inline std::string all_digits(float x) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", static_cast<double>(x));
  return out;
}

// --- writers ---

struct Spelling {
  std::string separator = ",", end = "\n", quote = {}, before = {};
  bool last_end = true;
};

inline std::string csv_of(const LogitRows& t, const Spelling& how = {}) {
  std::string out = how.before;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? how.separator : "") + how.quote + cells[i] + how.quote;
    out += how.end;
  };
  std::vector<std::string> head;
  for (std::size_t j = 0; j < t.k; ++j) head.push_back("logit_" + std::to_string(j));
  head.insert(head.end(), {"label", "weight", "site"});
  line(head);
  for (std::size_t i = 0; i < t.rows(); ++i) {
    std::vector<std::string> cells;
    for (std::size_t j = 0; j < t.k; ++j) cells.push_back(all_digits(t.logits[i * t.k + j]));
    cells.insert(cells.end(), {std::to_string(t.labels[i]), std::to_string(t.weights[i]), t.site[i]});
    line(cells);
  }
  if (!how.last_end) out.resize(out.size() - how.end.size());
  return out;
}

inline std::string jsonl_of(const LogitRows& t, bool list) {
  std::string out = list ? "[" : "";
  for (std::size_t i = 0; i < t.rows(); ++i) {
    out += (list && i ? std::string(",\n") : std::string()) + "{\"logits\": [";
    for (std::size_t j = 0; j < t.k; ++j) out += (j ? ", " : "") + all_digits(t.logits[i * t.k + j]);
    out += "], \"label\": " + std::to_string(t.labels[i]) + ", \"weight\": " + std::to_string(t.weights[i]) +
           ", \"site\": \"" + t.site[i] + "\"}" + (list ? "" : "\n");
  }
  return out + (list ? "]" : "");
}

inline std::string shape_of(std::size_t rows, std::size_t columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

inline std::string logits_npy(const LogitRows& t, bool by_columns) {
  if (!by_columns) return npy_of(t.logits, shape_of(t.rows(), t.k));
  std::vector<float> turned;
  for (std::size_t j = 0; j < t.k; ++j)
    for (std::size_t i = 0; i < t.rows(); ++i) turned.push_back(t.logits[i * t.k + j]);
  return npy_text("<f4", shape_of(t.rows(), t.k), raw(turned), "True");
}

inline std::string npz_of(const LogitRows& t, std::uint16_t method, bool by_columns) {
  const std::string rows = "(" + std::to_string(t.rows()) + ",)";
  return zip_of({{"logits.npy", logits_npy(t, by_columns), method},
                 {"labels.npy", npy_of(t.labels, rows), method},
                 {"weights.npy", npy_of(t.weights, rows), method}});
}

inline std::string safetensors_of(const LogitRows& t) {
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

// Each of them under a name that says its format. Texts have a column `weight`, and groups in `site`.
struct WrittenFile {
  std::string name = {}, content = {};
};

inline std::vector<WrittenFile> text_files(const LogitRows& t) {
  return {
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
}

inline std::vector<WrittenFile> array_files(const LogitRows& t) {
  return {{"a.npz", npz_of(t, 0, false)},
          {"b.npz", npz_of(t, 8, false)},
          {"c.npz", npz_of(t, 0, true)},
          {"d.npz", npz_of(t, 8, true)},
          {"e.safetensors", safetensors_of(t)}};
}

}  // namespace tare::detail::testing
