// What is said in words, the same in the terminal, on the page, in JSON and from C++ and Python.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/curve.hpp"
#include "tare/core/groups.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"

namespace tare::detail::render {

// A survey, and the lines of it that have a part in what is made of it.

// Scores are shown in their own units; everything else is a fraction and shown in percent.
bool is_fraction(const Measured& m);
std::string shown_number(const Measured& m, double value);  // "4.75%"

std::string noise_words(const Measured& m);  // what a calibrated model shows, where that was computed

// "ece_ew (l1)"
std::string label_of(const Measured& m);

// The first measured line with that role; null if there is none.
const Measured* find(const Survey& survey, bool Roles::*role, std::optional<std::size_t> class_index = {});

// What simulation says about that line; null if nothing.
const Correction* correction_of(const BiasReport& report, const Measured& m);

// The line that people quote and the diagram is drawn from: one whose role that is where it was measured (the ECE
// everybody knows), else the first calibration error. Null if there is none.
const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index = {});

// The classes by their reference error, the largest first; null, or empty, if nothing was measured per class.
std::vector<const Measured*> worst_classes(const Survey& survey);
const Measured* worst_class(const Survey& survey);

std::string counted(double rows, bool weighted = false);  // "1,204 rows", "12.5 of weight"

std::string class_label(const Survey& survey, std::size_t class_index);

// How a person calls it: "observed rate" for the mean label of two classes, else its name.
std::string name_of(const Measured& m, Reduction reduction);

// Notes, each with the names of those that it is about.
class SharedNotes {
 public:
  void add(const std::string& note, const std::string& who);
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

// The sentence of the verdict; of means over classes, which have none, what chance says about the reference line.
std::string conclusion(const Survey& survey);

// The verdict.

// What is wrong, or that nothing was found and what would have been, or that nobody can tell from so few rows.
std::string verdict_sentence(const TestReport& report);

// "Estimated true error: mean gap 3.8% [3.4, 4.2], root mean square gap 6.7% [5.9, 7.6] ...", or nothing.
std::string headline(const Verdict& verdict);

// Why the error that people quote does not say what the verdict says; nothing where it does.
std::string disagreement(const Survey& survey);

// Tests of calibration.

std::string four_digits(double x);                      // what is rounding away from 0 is 0
std::string p_text(double p, std::size_t resamples);    // as many digits as the resamples can tell apart
std::string p_equals(double p, std::size_t resamples);  // "p = 0.042" or "p < 0.001"
std::string level(double alpha);                        // "5%"
std::string p_meaning(const TestReport& report);        // what the p-values are
bool rejected(const TestResult& result, double alpha);

std::string part_words(const TestResult& result);  // what each part says on its scale of chi-square

// The verdict, what the first test saw, what the others say, and whether a shift of base rates explains it.
std::string test_conclusion(const TestReport& report);
// What error the first test would have found at this n, and why the verdict may name a larger one.
std::string detectable_words(const TestReport& report);

// What the band of a calibration curve means: the caption of every picture that has one.

// What the band holds, how often, and what that assumes. Empty where there is no band but for the reason.
std::string band_meaning(const CurveBand& band);

// Whether the diagonal leaves the band, and how often that of a calibrated model would. Empty without a band.
std::string diagonal_sentence(const CurveBand& band);

// A few words for a legend.
std::string band_label(const CurveBand& band);

// A study of bias.

std::string norm_of(const std::optional<int>& norm);  // "l2", or nothing

// Whether the fitted model describes the data; nothing where that could not be seen.
std::string description(const BiasReport& report);

// "corp: brier score (binary) 0.0542 = brier_mcb 0.0051 - brier_dsc 0.0209 + brier_unc 0.0700", one line per score; of
// parts that are no decomposition of a score one line that lists them.
std::vector<std::string> sums_of(const Measured& m);

// Groups of rows.

// What a page or a terminal has room for: the strongest evidence, then the largest of the others, by their rows.
// left_out() says how many are not among them and where they are; empty: all are shown.
std::vector<const GroupLine*> shown_groups(const GroupReport& report, std::size_t strongest, std::size_t largest);
std::string left_out(const GroupReport& report, std::size_t strongest, std::size_t largest);

std::string group_name(const GroupReport& report, const GroupLine& line);  // "FR"; of several columns "country = FR"
std::string gap_words(const GroupReport& report);                          // what a gap is, here
std::string exact_p(double log_p);                                         // "0.0421", "3.2e-08", "< 1e-300"
// The answer first: which groups are off, or that none was found and what that means.
std::vector<std::string> group_sentences(const GroupReport& report);
// What the columns mean; `whole`: all of them are shown.
std::vector<std::string> group_notes(const GroupReport& report, bool whole = true);

// Which calibrator to use.
std::string recommendation(const Comparison& comparison);
std::vector<std::string> method_notes(const MethodResult& method);  // why something is missing, and remarks on its fit

// A watch: three questions, answered apart.

// One sentence for each question: is calibration lost, of late, compared with the reference; has the curve moved, have
// only the scores drifted. The first says whether there is an alarm at all.
std::vector<std::string> watch_sentences(const WatchReport& report);

// What moved on a day: the curve, or the scores only; empty on a calm day.
std::string day_words(const WatchReport& report, const WatchDay& day);

// What is assumed, and what the numbers are.
std::vector<std::string> watch_notes(const WatchReport& report);

}  // namespace tare::detail::render
