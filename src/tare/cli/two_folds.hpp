// Commands that fit on one fold and judge on another: both in one file, each in its own, or one fold alone.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/dataset.hpp"

namespace tare::detail::cli {

struct Folds {
  Predictions first;  // validation data, or the only fold
  std::optional<Predictions> second = {};
};

struct TwoFolds {
  read::Fold fold, validation, test;

  void add(CLI::App& app);
  [[nodiscard]] bool two_named() const;
  // With `one` only the judged fold is read, even where there are two.
  [[nodiscard]] Result<Folds> read(int threads, bool one = false) const;
  [[nodiscard]] std::vector<std::string> files() const;  // all that are named
  // Arguments of `tare fit` that name the validation data.
  [[nodiscard]] std::string fit_arguments() const;
};

// A word as a POSIX shell takes it.
std::string quoted(const std::string& word);

}  // namespace tare::detail::cli
