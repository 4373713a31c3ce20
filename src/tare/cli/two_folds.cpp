#include "tare/cli/two_folds.hpp"

#include "tare/cli/args.hpp"
#include "tare/core/call_options.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::cli {
namespace {

bool named(const read::Fold& fold) {
  return !fold.files.empty() || !fold.logits.empty() || !fold.probs.empty() || !fold.log_probs.empty() ||
         !fold.confidences.empty() || !fold.labels.empty();
}

// A file with both halves gives the one it was named for.
read::Fold half(read::Fold fold, const char* split, const read::Reading& reading, read::Files& files) {
  fold.reading = reading;
  if (fold.files.size() == 1 && files.has_split(fold.files[0], split, reading)) fold.split = split;
  return fold;
}

}  // namespace

void TwoFolds::add(CLI::App& app) {
  add_fold(app, fold);
  add_groups(app, fold);
  for (const std::string which : {"val", "test"}) {
    read::Fold& to = which == "val" ? validation : test;
    const auto option = [&](const std::string& what, std::string& name, const std::string& help) {
      app.add_option("--" + which + what, name, help)->type_name("F")->group("TWO FOLDS");
    };
    add_option(app, "TWO FOLDS", "--" + which, to.files, "F",
               "one file with the " + which + " fold, its names as for FILE")
        ->expected(1);
    option("-logits", to.logits, "logits of the " + which + " fold");
    option("-probs", to.probs, "probabilities of the " + which + " fold");
    option("-log-probs", to.log_probs, "log-probabilities of the " + which + " fold");
    option("-labels", to.labels, "labels of the " + which + " fold");
    option("-confidences", to.confidences, "confidences of the predicted classes of the " + which + " fold");
    option("-correct", to.correct, "hits (1) and misses (0) of the " + which + " fold");
    option("-weights", to.weights, "weights of the " + which + " fold");
  }
}

bool TwoFolds::two_named() const { return named(validation) || named(test); }

std::vector<std::string> TwoFolds::files() const {
  std::vector<std::string> out;
  for (const read::Fold* one : {&fold, &validation, &test})
    for (std::string& file : read::inputs_of(*one)) out.push_back(std::move(file));
  return out;
}

Result<Folds> TwoFolds::read(int threads, bool one) const {
  const auto files = std::make_shared<read::Files>();
  read::Fold val = half(validation, "val", fold.reading, *files), judged = half(test, "test", fold.reading, *files);
  bool two = two_named();
  if (two && named(fold)) return bad_option("both one fold and two are named", "pass FILE, or --val and --test");
  if (two && (!named(val) || !named(judged)))
    return bad_option("only one of the two folds is named", "pass --val-* and --test-*");
  if (!two) {
    val = judged = fold;
    two = fold.split.empty() && fold.files.size() == 1 && files->has_split(fold.files[0], "val", fold.reading) &&
          files->has_split(fold.files[0], "test", fold.reading);
    if (two) {
      val.split = "val";
      judged.split = "test";
    }
  }
  val.groups = two ? std::vector<std::string>() : fold.groups;  // only the judged rows have groups
  judged.groups = fold.groups;
  judged.group_bins = fold.group_bins;
  const auto rows = [&](const read::Fold& names) {
    return read_rows(read::Dataset::open(names, read::LabelRule::needed, files).value(), threads).value();
  };
  if (!two || one) return Folds{rows(two ? judged : val), std::nullopt};
  return Folds{.first = rows(val), .second = rows(judged)};
}

std::string TwoFolds::fit_arguments() const {
  read::Fold from = two_named() ? validation : fold;
  std::string out = from.files.empty() ? "" : cli::quoted(from.files[0]);
  for (const OptionEntry& entry : fold_options(from).without({"split"}))
    if (const std::string& name = *std::get<std::string*>(entry.value); !name.empty())
      out += (out.empty() ? "" : " ") + ("--" + entry.flag()) + " " + cli::quoted(name);
  return out;
}

std::string quoted(const std::string& word) {
  const std::string plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace tare::detail::cli
