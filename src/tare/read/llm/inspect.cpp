#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "tare/read/llm/inspect_sample.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/text.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::read::llm {
namespace {

const char* const damaged_log = "the log is cut short or damaged; copy it again";

Error log_error(const std::string& place, std::string what, std::string remedy = damaged_log) {
  return bad_file(place, std::move(what), std::move(remedy));
}

class InspectTable {
 public:
  InspectTable(const std::string& file, const Reading& reading) : file_(file), reading_(reading) {}

  // The member `eval` of the header.
  void set_eval(const Json& eval) {
    task_ = word_in(eval.member("task"));
    model_ = word_in(eval.member("model"));
  }

  Result<void> add(const Json& sample) {
    const std::string id = word_in(sample.member("id")), epoch = word_in(sample.member("epoch"));
    const std::string where =
        file_ + ": sample " + shortened(id) + (epoch.empty() || epoch == "1" ? "" : ", epoch " + shortened(epoch));
    if (!seen_.insert(id + '\n' + epoch).second)
      return log_error(where, "is there twice", "each sample counts once in each epoch");
    InspectRow row;
    if (auto fault = inspect_row(sample, reading_, row)) {
      fault->error.place = file_place(where);
      if (!fault->absent || !reading_.drop_missing) return fault->error;
      if (!first_fault_) first_fault_ = fault->error;
      ++absent_;
      row.confidence = row.correct = std::numeric_limits<double>::quiet_NaN();
    }
    confidence_.push_back(row.confidence);
    correct_.push_back(row.correct);
    no_answer_ += row.no_answer;
    token_alone_ += row.token_alone;
    missing_option_ += row.missing_option;
    again_ += !epoch.empty() && epoch != "1";
    id_.add(id);
    epoch_.add(epoch);
    add_metadata(sample.member("metadata"));
    return {};
  }

  Result<Records> finish() && {
    const std::size_t n = confidence_.size();
    if (n == 0) return log_error(file_, "holds no samples", "record them: `inspect eval TASK --log-samples`");
    if (absent_ == n) return *first_fault_;
    Records out{.format = "Inspect"};
    notes(out);
    const Filling fill{out, file_};
    fill.add("confidences", numbers_of(std::move(confidence_)));
    fill.add("correct", numbers_of(std::move(correct_)));
    LogWords task, model;
    for (std::size_t i = 0; i < n; ++i) {
      task.add(task_);
      model.add(model_);
    }
    fill.add_words("task", std::move(task));
    fill.add_words("model", std::move(model));
    fill.add_words("id", std::move(id_));
    fill.add_words("epoch", std::move(epoch_));
    for (auto& [name, column] : metadata_) column.fill_to(n);
    if (metadata_.contains("subject")) fill.add_words("subject", metadata_["subject"]);
    for (auto& [name, column] : metadata_) fill.add_words("metadata." + name, std::move(column));
    return out;
  }

 private:
  void add_metadata(const Json* metadata) {
    constexpr std::size_t most_columns = 64;
    if (!metadata) return;
    for (std::size_t j = 0; j < metadata->names.size(); ++j) {
      if (!metadata->items[j].is_scalar()) continue;
      if (metadata_.size() == most_columns && !metadata_.contains(metadata->names[j])) continue;
      LogWords& column = metadata_[metadata->names[j]];
      if (column.size() == confidence_.size()) continue;  // a name that is there twice
      column.fill_to(confidence_.size() - 1);
      column.add(word_in(&metadata->items[j]));
    }
  }

  void notes(Records& out) const {
    const std::string of = " of " + std::to_string(confidence_.size()) + " samples";
    if (no_answer_ > 0)
      out.notes.push_back(std::to_string(no_answer_) + of + " gave no answer (N), which counts as a miss");
    if (token_alone_ > 0)
      out.notes.push_back(std::to_string(token_alone_) + of +
                          " have no top_logprobs: their confidence is the probability of the answer's token alone");
    if (missing_option_ > 0)
      out.notes.push_back(std::to_string(missing_option_) + of +
                          " lack an option among the likely tokens; it gets a share of what these leave");
    if (again_ > 0)
      out.notes.push_back(std::to_string(again_) + of +
                          " are further epochs of the same questions: intervals take them for questions of their own");
  }

  const std::string& file_;
  const Reading& reading_;
  std::string task_, model_;
  std::vector<double> confidence_, correct_;
  std::size_t no_answer_ = 0, token_alone_ = 0, missing_option_ = 0, again_ = 0, absent_ = 0;
  std::optional<Error> first_fault_;
  LogWords id_, epoch_;
  std::map<std::string, LogWords> metadata_;
  std::unordered_set<std::string> seen_;
};

// Such a log may be longer than simdjson takes: its samples are read one by one.
class JsonLog {
 public:
  JsonLog(std::span<const std::byte> bytes, InspectTable& table)
      : at_(text_of(bytes).data()), end_(at_ + text_of(bytes).size()), table_(table) {}

  Result<void> read(const std::string& file) {
    const char* const after = each_long_member(at_, end_, [&](const std::string& name, const char* value) {
      return name == "samples" && *value == '[' ? samples(value) : member(name, value);
    });
    if (!done_) return done_;
    if (!after || skip_space(after, end_) != end_) return log_error(file, "is not JSON as a whole");
    return {};
  }

 private:
  const char* member(const std::string& name, const char* begin) {
    const char* const end = value_end(begin, end_);
    Json eval;
    if (!end || !reader_.check(begin, end)) return nullptr;
    if (name != "eval") return end;
    if (!parse({begin, static_cast<std::size_t>(end - begin)}, eval)) return nullptr;
    table_.set_eval(eval);
    return end;
  }

  const char* samples(const char* at) {
    for (at = skip_space(at + 1, end_); at != end_ && *at != ']';) {
      const char* const end = value_end(at, end_);
      Json sample;
      if (!end || !reader_.open(at, end) || !parse_sample(reader_.document(), sample) || !reader_.at_end())
        return nullptr;
      done_ = table_.add(sample);
      if (!done_ || !(at = next_item(end, end_, ']'))) return nullptr;
    }
    return at == end_ ? nullptr : at + 1;
  }

  const char* at_;
  const char* end_;
  InspectTable& table_;
  JsonReader reader_;
  Result<void> done_ = {};
};

// With Inspect's remedy instead of NumPy's.
Error remedied(Error e) {
  e.remedy = damaged_log;
  return e;
}

// The bytes of one member.
Result<Unpacked> unpacked(std::span<const std::byte> archive, const ZipMember& member, const std::string& file) {
  const std::string name = file + ":" + member.name;
  constexpr std::uint16_t zstd = 93;
  if (member.method == zstd)
    return bad_file(name, "is packed with zstd, which is not read",
                    "write the log as JSON: `inspect log convert LOG.eval --to json --output-dir DIR`",
                    Errc::unsupported);
  const auto raw = zip_raw(archive, member, name);
  if (!raw) return remedied(raw.error());
  if (member.method == 8) {
    auto all = inflate_all(*raw, member, name);
    return all ? all : remedied(all.error());
  }
  if (const auto intact = check_crc(*raw, member, name); !intact) return remedied(intact.error());
  return Unpacked{{}, *raw};
}

// samples/ID_epoch_N.json, or in parts: samples/ID_epoch_N/sample.json and its metadata.json.
enum class MemberKind { none, sample, metadata };
MemberKind part_of(const std::string& name) {
  if (!name.starts_with("samples/") || !name.ends_with(".json")) return MemberKind::none;
  const std::size_t epoch = name.rfind("_epoch_");
  if (epoch == name.npos) return MemberKind::none;
  const std::size_t slash = name.find('/', epoch);
  if (slash == name.npos) return MemberKind::sample;
  const std::string_view rest = std::string_view(name).substr(slash + 1);
  return rest == "sample.json" ? MemberKind::sample : rest == "metadata.json" ? MemberKind::metadata : MemberKind::none;
}

// A log of some megabytes may not keep a machine busy: text does not pack so well, and nothing is packed twice.
Result<void> check_packing(const std::vector<ZipMember>& members, std::size_t bytes, const std::string& file) {
  constexpr std::uint64_t unasked = std::uint64_t{1} << 28, most_ratio = 200;
  std::uint64_t packed = 0, claimed = 0;
  for (const ZipMember& m : members) {
    if (part_of(m.name) == MemberKind::none) continue;
    packed += std::min<std::uint64_t>(m.packed, bytes);
    claimed += std::min<std::uint64_t>(m.unpacked, std::uint64_t{1} << 40);
    if (packed > bytes) return log_error(file, "its members overlap");
  }
  if (claimed > unasked && claimed / most_ratio > bytes)
    return log_error(
        file, "claims that " + std::to_string(bytes) + " bytes unpack to " + std::to_string(claimed),
        "text is not packed so well; write it as JSON: `inspect log convert LOG.eval --to json --output-dir DIR`");
  return {};
}

class EvalArchive {
 public:
  EvalArchive(std::span<const std::byte> bytes, const std::vector<ZipMember>& members, const std::string& file)
      : bytes_(bytes), members_(members), file_(file) {
    for (const ZipMember& m : members_)
      if (part_of(m.name) == MemberKind::metadata) metadata_.emplace(m.name.substr(0, m.name.rfind('/')), &m);
  }

  Result<void> read_into(InspectTable& table) const {
    if (const auto header = read_header(table); !header) return header;
    for (const ZipMember& m : members_) {
      if (part_of(m.name) != MemberKind::sample) continue;
      Json sample;
      if (const auto read = value(m, sample, true); !read) return read;
      if (const auto at = metadata_.find(m.name.substr(0, m.name.rfind('/'))); at != metadata_.end()) {
        auto own = std::find(sample.names.begin(), sample.names.end(), "metadata") - sample.names.begin();
        sample.names.resize(std::max(sample.names.size(), static_cast<std::size_t>(own) + 1), "metadata");
        sample.items.resize(sample.names.size());
        Json& metadata = sample.items[static_cast<std::size_t>(own)] = {};
        if (const auto read = value(*at->second, metadata, false); !read) return read;
      }
      if (const auto done = table.add(sample); !done) return done;
    }
    return {};
  }

 private:
  // Written at the end; of a run that was stopped the journal has its beginning.
  Result<void> read_header(InspectTable& table) const {
    for (const char* name : {"header.json", "_journal/start.json"})
      for (const ZipMember& m : members_) {
        if (m.name != name) continue;
        Json header;
        if (const auto read = value(m, header, false); !read) return read;
        if (const Json* eval = header.member("eval")) table.set_eval(*eval);
        return {};
      }
    return log_error(file_, "is no log of Inspect: it has neither header.json nor a journal",
                     "name the .eval file that `inspect eval` wrote");
  }

  Result<void> value(const ZipMember& m, Json& out, bool sample) const {
    const auto content = unpacked(bytes_, m, file_);
    if (!content) return content.error();
    const std::string_view text = trimmed(text_of(content->bytes));
    const char* const end = text.data() + text.size();
    JsonReader reader;
    if (sample ? !reader.open(skip_space(text.data(), end), end) || !parse_sample(reader.document(), out) ||
                     !reader.at_end()
               : !parse(text, out))
      return log_error(file_ + ":" + m.name, "is not JSON, or too deep or large");
    return {};
  }

  std::span<const std::byte> bytes_;
  const std::vector<ZipMember>& members_;
  const std::string& file_;
  std::map<std::string, const ZipMember*> metadata_;
};

Result<void> read_eval_log(std::span<const std::byte> bytes, const std::string& file, InspectTable& table) {
  if (!check_zip_magic(bytes, file))
    return log_error(file, "is not a zip archive, as .eval files are", "a log in JSON is named .json");
  auto members = zip_directory(bytes, file);
  if (!members) return remedied(members.error());
  if (const auto fine = check_packing(*members, bytes.size(), file); !fine) return fine;
  return EvalArchive(bytes, *members, file).read_into(table);
}

}  // namespace

Result<Records> inspect(std::span<const std::byte> bytes, bool zip, const std::string& file, const Reading& reading) {
  InspectTable table(file, reading);
  const auto done = zip ? read_eval_log(bytes, file, table) : JsonLog(bytes, table).read(file);
  if (!done) return done.error();
  return std::move(table).finish();
}

}  // namespace tare::detail::read::llm
