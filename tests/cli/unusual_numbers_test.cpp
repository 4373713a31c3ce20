// What is infinite or undefined is said in words, and what is very large is short: no output of any command holds nan
// or inf, or a number of forty digits.
#include <algorithm>
#include <cctype>

#include "cli/program.hpp"

namespace {

class unusual_numbers : public tare::detail::testing::Program {
 protected:
  unusual_numbers() {
    write("zero.csv",
          "p_0,p_1,p_2,label\n0,1,0,0\n1,0,0,1\n0.5,0.25,0.25,0\n0.2,0.3,0.5,2\n0.6,0.3,0.1,0\n0.1,0.8,0.1,1\n");
    for (const char* size : {"1e308", "1e200"}) {
      std::string rows = "logit_0,logit_1,logit_2,label\n0,1,2,2\n1,2,3,1\n3,2,1,0\n";
      for (const char* label : {"1", "2", "0"}) rows += std::string(size) + ",0,0," + label + "\n";
      write(std::string(size) + ".csv", rows);
    }
    write("three.csv", "p_0,p_1,label\n0.3,0.7,1\n0.6,0.4,0\n0.9,0.1,1\n");
    write("one_class.csv",
          "p_0,p_1,p_2,label\n0.2,0.5,0.3,1\n0.1,0.6,0.3,1\n0.3,0.3,0.4,1\n0.25,0.5,0.25,1\n0.1,0.1,0.8,1\n");
    write("almost.csv", "prob,label\n0,1\n1,0\n1e-320,1\n0.999999999999,0\n0.5,1\n0.25,0\n");
    write("odds.csv", "logit,label\n1e200,0\n-1e308,1\n1e308,0\n3,1\n-2,0\n745,0\n");
  }

  // What is wrong in a text, with its surroundings; empty: nothing.
  static std::string wrong_in(const std::string& text) {
    std::size_t digits = 0;
    const auto letter = [&](std::size_t i) {
      return i < text.size() && (std::isalpha(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      digits = std::isdigit(static_cast<unsigned char>(text[i])) != 0 ? digits + 1 : 0;
      std::string word = text.substr(i, 3);
      std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
      const bool whole = (word == "nan" || word == "inf") && !(i > 0 && letter(i - 1)) && !letter(i + 3);
      if (whole || digits == 40) return text.substr(i < 60 ? 0 : i - 60, 100);
    }
    return "";
  }

  void look(const std::string& command) const {
    const auto ran = run("$tare " + command);
    EXPECT_LE(ran.code, 2) << command;
    EXPECT_LACKS(ran.err, "bug of tare") << command;
    EXPECT_EQ(wrong_in(ran.out), "") << command;
    EXPECT_EQ(wrong_in(ran.err), "") << command;
  }
  const std::vector<std::string> files{"zero", "1e308", "1e200", "three", "one_class", "almost", "odds"};
};

TEST_F(unusual_numbers, are_words_in_every_table) {
  for (const std::string& file : files)
    for (const char* command : {"measure --all", "measure --reduction classwise", "test", "compare --all"})
      for (const char* as : {"", " --json", " --csv"}) look(std::string(command) + " " + file + ".csv" + as);
  for (const std::string& file : files)
    for (const char* command : {"bbc --replicates 20", "fit temperature", "fit isotonic"})
      look(std::string(command) + " " + file + ".csv");
}

TEST_F(unusual_numbers, are_words_in_every_picture_and_page) {
  for (const std::string& file : files) {
    for (const char* kind : {"reliability", "histogram", "estimators", "rejection", "bins", "compare"})
      for (const char* as : {"", " --text"}) look("plot " + std::string(kind) + " " + file + ".csv" + as);
    for (const char* kind : {"estimators", "rejection", "bins"})
      look("plot " + std::string(kind) + " " + file + ".csv --csv");
    look("report --no-bias " + file + ".csv");
  }
}

TEST_F(unusual_numbers, have_their_reason) {
  const auto infinite = run("$tare test almost.csv");
  EXPECT_HAS(infinite.out, "infinite");
  EXPECT_HAS(infinite.out, "the statistic is infinite: rows contradict");
  for (const auto& line : nlohmann::json::parse(run("$tare test almost.csv --json").out).at("tests"))
    EXPECT_TRUE(!line.at("statistic").is_null() || line.at("reason").is_string()) << line;
  const auto large = run("$tare measure --all 1e200.csv");
  EXPECT_HAS(large.out, "log loss is infinite");  // two of six rows lose 1e200 each
  EXPECT_KEPT(run("$tare fit temperature 1e308.csv").err);
}

}  // namespace
