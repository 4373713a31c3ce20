#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_map>
#include <utility>

#include "tare/read/llm/harness_line.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

class HarnessTable {
 public:
  HarnessTable(const std::string& file, const Reading& reading)
      : file_(file), reading_(reading), task_(task_of(file)) {}

  Result<void> add(JsonDocument& object, std::size_t line) {
    auto row = harness_line(object);
    if (!row) return row.error();
    if (const auto [at, fresh] = filters_.try_emplace(row->filter, 0); ++at->second == 1 && fresh)
      filter_names_.push_back(row->filter);
    if (!reading_.filter.empty() && row->filter != reading_.filter) return {};
    if (const auto once = seen(*row, line); !once) return once;
    auto values = reading_.length_normalized ? length_normalized(*row) : Result<std::vector<double>>(row->loglik);
    if (!values) return values.error();
    if (const auto label = choose_label(*row, *values); !label) return label.error();
    mutual_ += row->mutual;
    k_ = std::max(k_, values->size());
    starts_.push_back(numbers_.size());
    numbers_.insert(numbers_.end(), values->begin(), values->end());
    lines_->add(starts_.size() - 1, line);
    id_.add(row->id);
    task_column_.add(row->task.empty() ? task_ : row->task);
    filter_column_.add(row->filter);
    subject_.add(row->subject);
    category_.add(row->category);
    return {};
  }

  Result<Records> finish() && {
    if (const auto some = check_filters(); !some) return some.error();
    if (const auto fits = check_size(); !fits) return fits.error();
    const auto labels = decide_labels();
    if (!labels) return labels.error();
    Records out{.format = "lm-evaluation-harness"};
    const std::size_t n = starts_.size();
    std::vector<double> matrix(n * k_, -std::numeric_limits<double>::infinity());
    std::size_t shorter = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t end = i + 1 < n ? starts_[i + 1] : numbers_.size(), count = end - starts_[i];
      shorter += count < k_;
      std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(starts_[i]), count,
                  matrix.begin() + static_cast<std::ptrdiff_t>(i * k_));
    }
    notes(out, shorter);
    const Filling fill{out, file_, lines_};
    fill.add("logits", array_of(std::move(matrix), DType::f8, {n, k_}));
    fill.add("labels", array_of(*labels, DType::i8, {n}));
    fill.add_words("task", std::move(task_column_));
    fill.add_words("filter", std::move(filter_column_));
    fill.add_words("subject", std::move(subject_));
    fill.add_words("category", std::move(category_));
    fill.add_words("doc_id", std::move(id_));
    return out;
  }

 private:
  // samples_TASK_2024-05-13T10-20-30.123456.jsonl
  static std::string task_of(const std::string& file) {
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string_view end : {".gz", ".jsonl", ".ndjson", ".json"})
      if (name.ends_with(end)) name.resize(name.size() - end.size());
    if (name.starts_with("samples_")) name.erase(0, 8);
    const std::size_t last = name.rfind('_');
    const std::string_view date = last == name.npos ? "" : std::string_view(name).substr(last + 1);
    if (date.size() >= 10 && date[4] == '-' && date.find_first_not_of("0123456789-T:.") == date.npos) name.resize(last);
    return name;
  }

  Result<void> seen(const HarnessLine& row, std::size_t line) {
    const auto [at, fresh] = rows_.try_emplace(row.id + '\n' + row.hash, Seen{line, row.filter});
    if (fresh) return {};
    if (at->second.filter != row.filter)
      return bad_input("document " + read::quoted(row.id) + " is there under the filters " +
                           read::quoted(at->second.filter) + " and " + read::quoted(row.filter),
                       "choose one: `filter` " + read::quoted(row.filter));
    return bad_input("document " + read::quoted(row.id) + " was in line " + std::to_string(at->second.line) + " before",
                     "each document counts once: leave out what was written twice");
  }

  // Keeps what the number and what the text of the target say, and whether the harness agrees.
  Result<void> choose_label(HarnessLine& row, const std::vector<double>& values) {
    const std::size_t raw = best(row.loglik);
    if (row.options_are_contexts()) {
      if (row.loglik.size() != 2 || !row.acc)
        return bad_input("the options stand in the context, and the target does not say which is right",
                         "only of two options can it be told, from acc");
      row.by_text = row.by_index = *row.acc == 1 ? raw : 1 - raw;
      ++from_acc_;
    }
    const std::size_t index = row.by_index ? *row.by_index : *row.by_text;
    const std::size_t text = row.by_text ? *row.by_text : *row.by_index;
    by_index_.push_back(static_cast<std::int64_t>(index));
    by_text_.push_back(static_cast<std::int64_t>(text));
    const auto& counted = reading_.length_normalized ? row.acc_norm : row.acc;
    const std::size_t predicted = best(values);
    wrong_by_index_ += counted && (predicted == index) != (*counted == 1);
    wrong_by_text_ += counted && (predicted == text) != (*counted == 1);
    return {};
  }

  // Options that are numbers themselves: "2" may be the third option or the text of another. The harness's own count
  // tells.
  Result<std::vector<std::int64_t>> decide_labels() {
    both_ways_ = by_index_ != by_text_ && wrong_by_index_ == 0 && wrong_by_text_ == 0;
    if (by_index_ == by_text_ || wrong_by_index_ == 0) return by_index_;  // the harness takes digits for a place
    if (wrong_by_text_ == 0) {
      wrong_by_index_ = 0;
      return by_text_;
    }
    return bad_file(file_,
                    "targets are numbers, and so are the options: is the target the place of an option or its text?",
                    "run the harness again with log_samples and the metric acc, which tells");
  }

  Result<void> check_filters() const {
    if (!starts_.empty()) return {};
    if (filter_names_.empty())
      return bad_file(file_, "has no lines", "the file is cut short or damaged; copy or write it again");
    return bad_option("filter", in_quotes(reading_.filter), "but the file holds " + listed(filter_names_),
                      "name one of these, or leave it out");
  }

  // One long row among many short ones would ask for memory that nothing in the file stands for.
  Result<void> check_size() const {
    constexpr std::size_t unasked = std::size_t{1} << 24;
    if (starts_.size() * k_ <= std::max(unasked, 16 * numbers_.size())) return {};
    return bad_file(file_,
                    "one question has " + std::to_string(k_) + " options, and most of the " +
                        std::to_string(starts_.size()) + " have few",
                    "measure these questions by themselves");
  }

  void notes(Records& out, std::size_t shorter) const {
    const auto count = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " row" : " rows"); };
    const std::size_t n = starts_.size();
    if (shorter > 0)
      out.notes.push_back(count(shorter) + " of " + std::to_string(n) + " have fewer than " + std::to_string(k_) +
                          " options; those they do not have get probability 0");
    if (mutual_ > 0)
      out.notes.push_back("of " + count(mutual_) +
                          " with mutual information the log-likelihoods given the question are used, without those of "
                          "the options alone");
    if (both_ways_)
      out.notes.emplace_back("targets that are numbers are taken for the places of options, counted from 0");
    if (from_acc_ > 0) out.notes.push_back("the right option of " + count(from_acc_) + " was told by acc");
    if (wrong_by_index_ > 0)
      out.notes.push_back(std::string(reading_.length_normalized ? "acc_norm" : "acc") +
                          " of the file says otherwise than the log-likelihoods in " + count(wrong_by_index_));
  }

  struct Seen {
    std::size_t line = 0;
    std::string filter = {};
  };

  const std::string& file_;
  const Reading& reading_;
  std::string task_;
  std::size_t k_ = 0, mutual_ = 0, from_acc_ = 0, wrong_by_index_ = 0, wrong_by_text_ = 0;
  bool both_ways_ = false;
  std::vector<double> numbers_;
  std::vector<std::size_t> starts_;
  std::vector<std::int64_t> by_index_, by_text_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  LogWords id_, task_column_, filter_column_, subject_, category_;
  std::unordered_map<std::string, Seen> rows_;
  std::unordered_map<std::string, std::size_t> filters_;
  std::vector<std::string> filter_names_;
};

}  // namespace

Result<Records> harness(std::span<const std::byte> bytes, const std::string& file, const Reading& reading) {
  return read_lines(bytes, file, HarnessTable(file, reading));
}

}  // namespace tare::detail::read::llm
