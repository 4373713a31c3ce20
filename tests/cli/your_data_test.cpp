// Ordinary files, as pandas, scikit-learn, R, spreadsheets and logs write them, at the first try.
#include "cli/program.hpp"

namespace {

using your_data = tare::inner::testing::Program;
using nlohmann::json;

const char* const quick = " --json --no-interval --estimators brier,accuracy,confidence";

double value(const json& answer, const std::string& name) {
  for (const auto& e : answer.at("estimates"))
    if (e.at("name") == name) return e.at("value").get<double>();
  ADD_FAILURE() << "no " << name;
  return -1;
}

// (0.2, 0.3, 0.5) for class 2 and (0.6, 0.3, 0.1) for class 0: 0.04 + 0.09 + 0.25 = 0.38, and 0.16 + 0.09 + 0.01 =
// 0.26; their mean is 0.32, both are right, and the mean confidence is 0.55.
#define EXPECT_THE_TWO_ROWS(ran)                            \
  do {                                                      \
    const auto& r_ = (ran);                                 \
    ASSERT_EQ(r_.code, 0) << r_.err;                        \
    const json a_ = json::parse(r_.out);                    \
    EXPECT_NEAR(value(a_, "brier"), 0.32, 1e-12) << r_.out; \
    EXPECT_EQ(value(a_, "accuracy"), 1);                    \
    EXPECT_NEAR(value(a_, "confidence"), 0.55, 1e-12);      \
    EXPECT_EQ(a_.at("input").at("k"), 3);                   \
  } while (false)

TEST_F(your_data, a_table_of_pandas_needs_no_flags) {
  write("t.csv", "0,1,2,label\n0.2,0.3,0.5,2\n0.6,0.3,0.1,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv") + quick));
  write("index.csv", ",0,1,2,label\n0,0.2,0.3,0.5,2\n1,0.6,0.3,0.1,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure index.csv") + quick));
  write("unnamed.csv", "Unnamed: 0,0,1,2,label\n0,0.2,0.3,0.5,2\n1,0.6,0.3,0.1,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure unnamed.csv") + quick));
  write("probs.csv", ",0,1,2\n0,0.2,0.3,0.5\n1,0.6,0.3,0.1\n");
  write("y.csv", ",0\n0,2\n1,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure --probs probs.csv --labels y.csv:0") + quick));
}

TEST_F(your_data, columns_are_lists_ranges_and_patterns) {
  write("t.csv", "id,p0,p1,note,p7,y\n5,0.2,0.3,a,0.5,7\n6,0.6,0.3,b,0.1,0\n");
  for (const char* columns : {"t.csv:p0,p1,p7", "t.csv:p[0-9]*", "'t.csv:p?'", "t.csv:p0-p1,p7", "t.csv:1,2,4"})
    EXPECT_THE_TWO_ROWS(run(std::string("$tare measure --labels t.csv:y --probs ") + columns + quick));
  write("u.csv", "p_0,p_1,p_2,q,y\n0.2,0.3,0.5,9,2\n0.6,0.3,0.1,9,0\n");
  for (const char* columns : {"u.csv:p_[0-9]*", "u.csv:p_0-p_2", "u.csv:0-2", "u.csv:p_0,p_[12]"})
    EXPECT_THE_TWO_ROWS(run(std::string("$tare measure --labels u.csv:y --probs ") + columns + quick));
  EXPECT_FAILS(run("$tare measure u.csv --probs p_0,p_8"), "holds nothing named 'p_8'; it holds p_0, p_1, p_2, q, y");
}

// The order of the list is the order of the classes: here the columns of classes 2, 0 and 1.
TEST_F(your_data, a_list_of_columns_is_in_the_order_of_the_classes) {
  write("t.csv", "c,a,b,y\n0.5,0.2,0.3,2\n0.1,0.6,0.3,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv --probs a,b,c") + quick));
}

TEST_F(your_data, columns_named_after_the_classes_are_found_by_the_labels) {
  write("t.csv", "id,text,cat,dog,eel,label\n1,x,0.2,0.3,0.5,eel\n2,y,0.6,0.3,0.1,cat\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv") + quick));
}

TEST_F(your_data, known_names_need_no_option) {
  for (const char* head : {"y_prob,y_true", "proba,truth", "score,outcome", "y_score,target", "Prob,Actual", "p1,y"}) {
    write("t.csv", std::string(head) + "\n0.75,1\n0.25,0\n");
    const auto ran = run(std::string("$tare measure t.csv") + quick);
    ASSERT_EQ(ran.code, 0) << head << ": " << ran.err;
    EXPECT_NEAR(value(json::parse(ran.out), "brier"), 0.0625, 1e-12) << head;
  }
  write("t.csv", "confidence,outcome\n0.75,1\n0.25,0\n");
  EXPECT_EQ(json::parse(run(std::string("$tare measure t.csv") + quick).out).at("input").at("kind"), "confidences");
  const auto help = run("$tare measure --help");
  for (const char* name : {"y_true", "y_prob", "y_pred", "y_score", "target", "truth", "proba", "score", "outcome"})
    EXPECT_HAS(help.out, name);
}

// A name that means one thing everywhere goes before one that is only often used so.
TEST_F(your_data, further_names_do_not_disturb_a_file_that_was_clear) {
  write("t.csv", "p,score,y,outcome,class\n0.75,9,1,7,z\n0.25,9,0,7,z\n");
  const auto ran = run(std::string("$tare measure t.csv") + quick);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NEAR(value(json::parse(ran.out), "brier"), 0.0625, 1e-12);
}

TEST_F(your_data, what_is_ambiguous_shows_the_columns_and_what_to_type) {
  write("t.csv", "score,y_score,label\n0.75,0.5,1\n0.25,0.5,0\n");
  EXPECT_FAILS(run("$tare measure t.csv"), "several could be the probs: score, y_score");
  EXPECT_FAILS(run("$tare measure t.csv"), "hint: say which: --probs 'score'");
  write("u.csv", "id,a,b,c,truth\n7,0.2,0.3,0.5,2\n8,0.6,0.3,0.1,0\n");
  EXPECT_FAILS(run("$tare measure u.csv"), "no name says what it holds: id, a, b, c, truth");
  EXPECT_FAILS(run("$tare measure u.csv"), "--probs 'a-c' --labels 'truth'");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure u.csv --probs 'a-c' --labels 'truth'") + quick));
}

}  // namespace
