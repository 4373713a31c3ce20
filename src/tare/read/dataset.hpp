// One data set: files whose rows belong together. Each file is opened once; what its columns are, what the classes are
// called and how numbers are read is decided from all files before the first row is used, and every repair is a
// function of its row alone. So the whole, its pieces, and its parts in any order are the same rows.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/assemble.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/source.hpp"

namespace tare::detail::read {

// Pieces of about `bytes` of a table, else of `rows` rows.
struct PieceSize {
  std::size_t rows = std::size_t{1} << 20;
  std::size_t bytes = std::size_t{1} << 26;
};

using EachPiece = std::function<Result<void>(const Predictions&)>;

class Dataset {
 public:
  // `files`: opened before, by another data set of the same call.
  static Result<Dataset> open(const Fold& names, LabelRule rule = LabelRule::needed,
                              std::shared_ptr<Files> files = std::make_shared<Files>());

  // Would this give rows? The first ones of one file, of about so many bytes.
  static Result<Predictions> sample(const Fold& names, LabelRule rule, Files& files, std::size_t bytes);

  // Every file that is read, also those of groups and class names: none of them may be written to.
  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
  // The one file, where it holds no rows: a state or a table of cells, given alone. Null: there are rows.
  [[nodiscard]] const Source* alone() const { return alone_; }
  [[nodiscard]] bool labelled() const { return labelled_; }
  [[nodiscard]] bool has_groups() const { return !names_.groups.empty(); }
  [[nodiscard]] const std::string& source() const { return source_; }  // the names of the files, for people
  [[nodiscard]] const std::string& used() const { return used_; }      // Predictions::used
  [[nodiscard]] double bytes_needed() const { return bytes_needed_; }  // about how much memory all rows take

  // All rows. Without labels (LabelRule) they are all 0 and mean nothing.
  [[nodiscard]] Result<Predictions> read(int threads = 1) const;

  // The same, piece by piece, for what is too large to be held. Ends with the first error of `each`, which it returns.
  // The notes of all pieces, and the rows that were left out, are those of `about`.
  struct About {
    std::vector<std::string> notes = {};
    std::size_t dropped = 0;
  };
  [[nodiscard]] Result<About> read_pieces(const EachPiece& each, int threads = 1, const PieceSize& size = {}) const;

 private:
  // One file, or none where none is named: what its members are.
  struct Member {
    std::string file = {};
    std::shared_ptr<Files> files =
        {};  // null: opened again when it is read, as packed files are where there are several
    Picks picks = {};
  };
  [[nodiscard]] Result<Member> member(const std::string& file, const std::shared_ptr<Files>& files) const;
  [[nodiscard]] Result<void> align(Picks& other) const;
  // Calls body for each file, one after the other.
  [[nodiscard]] Result<void> for_each_file(const std::function<Result<void>(const Picks&)>& body) const;
  [[nodiscard]] Result<Parts> parts_of(const Picks& picks, TablePlace* at, std::size_t bytes, ReadLog& log) const;
  [[nodiscard]] Result<void> pieces_of(const Picks& picks, const EachPiece& each, int threads, const PieceSize& size,
                                       ReadLog& log) const;
  [[nodiscard]] Result<Predictions> made(const Parts& parts, int threads, ReadLog& log) const;
  [[nodiscard]] Result<About> about_of(const ReadLog& log) const;

  Fold names_;
  std::shared_ptr<Files> files_;
  LabelRule rule_ = LabelRule::needed;
  std::vector<Member> members_;
  std::vector<std::string> inputs_;
  std::vector<std::string> notes_;  // about columns
  std::string source_, used_;
  double bytes_needed_ = 0;
  const Source* alone_ = nullptr;
  bool labelled_ = true;
};

// Opened and read.
Result<Predictions> all_rows(const Fold& names, int threads = 1);

// The table that all of it comes from, groups too; null where there are other sources.
const TextTable* only_table(const Picks& picks);

// Every file that the fold names, also those of groups and class names. "-" is standard input.
std::vector<std::string> inputs_of(const Fold& names);

}  // namespace tare::detail::read
