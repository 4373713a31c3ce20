// Ordinary files, as pandas, scikit-learn, R, spreadsheets and logs write them, at the first try.
#include <cstring>

#include "cli/program.hpp"

namespace {

using your_data = tare::detail::testing::Program;
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
  EXPECT_FAILS(run("$tare measure u.csv --probs p_0,p_8"));
}

// The order of the list is the order of the classes: here the columns of classes 2, 0 and 1.
TEST_F(your_data, a_list_of_columns_is_in_the_order_of_the_classes) {
  write("t.csv", "c,a,b,y\n0.5,0.2,0.3,2\n0.1,0.6,0.3,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv --probs a,b,c") + quick));
}

TEST_F(your_data, columns_named_after_the_classes_are_found_by_the_labels) {
  write("t.csv", "id,text,cat,dog,eel,label\n1,x,0.2,0.3,0.5,eel\n2,y,0.6,0.3,0.1,cat\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv") + quick));
  write("t.csv", "class1,class2,class3,label\n0.2,0.3,0.5,class3\n0.6,0.3,0.1,class1\n");
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
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_FAILS(run("$tare measure t.csv"));
  write("u.csv", "id,a,b,c,truth\n7,0.2,0.3,0.5,2\n8,0.6,0.3,0.1,0\n");
  EXPECT_FAILS(run("$tare measure u.csv"));
  EXPECT_FAILS(run("$tare measure u.csv"));
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure u.csv --probs 'a-c' --labels 'truth'") + quick));
}

std::string note(const tare::detail::testing::Ran& ran) {
  const json note = json::parse(ran.out).at("input").at("note");
  return note.is_null() ? "" : note.get<std::string>();
}

// 0.75 for what happened and 0.25 for what did not: the Brier score is 0.25^2 in both rows.
#define EXPECT_THE_PAIR(ran)                                         \
  do {                                                               \
    const auto& r_ = (ran);                                          \
    ASSERT_EQ(r_.code, 0) << r_.err;                                 \
    EXPECT_NEAR(value(json::parse(r_.out), "brier"), 0.0625, 1e-12); \
  } while (false)

TEST_F(your_data, labels_are_words) {
  for (const char* words : {"win,loss", "yes,no", "TRUE,FALSE", "Y,n", "positive,negative", "pass,fail", "1.0,0.0"}) {
    const std::string both = words, one = both.substr(0, both.find(',')), zero = both.substr(both.find(',') + 1);
    write("t.csv", "prob,label\n0.75," + one + "\n0.25," + zero + "\n");
    EXPECT_THE_PAIR(run(std::string("$tare measure t.csv") + quick));
  }
  write("t.csv", "prob,result\n0.75,home\n0.25,away\n");
  EXPECT_FAILS(run("$tare measure t.csv --labels result"));
  EXPECT_FAILS(run("$tare measure t.csv --labels result"));
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --labels result --positive home") + quick));
  EXPECT_FAILS(run("$tare measure t.csv --labels result --positive draw"));
  write("t.csv", "prob,label\n0.75,win\n0.25,loss\n");
  EXPECT_KEPT(note(run(std::string("$tare measure t.csv --quiet") + quick)));
}

TEST_F(your_data, classes_by_name_in_any_order) {
  write("t.csv", "p_eel,p_cat,p_dog,label\n0.5,0.2,0.3,eel\n0.1,0.6,0.3,Cat\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv") + quick));
  write("t.csv", "p_away,p_draw,p_home,result\n0.05,0.2,0.75,home\n0.5,0.25,0.25,away\n");
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --labels result --positive home") + quick));
  write("t.csv", "z_a,z_b,z_c,label\n0,0,1.7917594692280550,c\n0,0,-0.4054651081081644,a\n");  // ln 6 and ln 2/3
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --positive c") + quick));               // 6 / 8, and 2/3 / (8/3)
}

TEST_F(your_data, class_names_are_a_list_or_a_file) {
  write("p.csv", "a,b,c\n0.2,0.3,0.5\n0.6,0.3,0.1\n");
  write("y.csv", "label\neel\ncat\n");
  write("names.txt", "cat\ndog\neel\n");
  const std::string command = "$tare measure --probs p.csv --labels y.csv ";
  EXPECT_THE_TWO_ROWS(run(command + "--class-names cat,dog,eel" + quick));
  EXPECT_THE_TWO_ROWS(run(command + "--class-names names.txt" + quick));
  EXPECT_FAILS(run(command + "--class-names cat,dog"));
}

TEST_F(your_data, labels_are_one_hot_or_count_from_one_or_are_floats) {
  write("t.csv", "p_0,p_1,p_2,y_0,y_1,y_2\n0.2,0.3,0.5,0,0,1\n0.6,0.3,0.1,1,0,0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv --labels 'y_*'") + quick));
  write("t.csv", "p_a,p_b,p_c,is_c,is_b,is_a\n0.2,0.3,0.5,1,0,0\n0.6,0.3,0.1,0,0,1\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv --labels 'is_*'") + quick));
  write("t.csv", "p_0,p_1,p_2,y_0,y_1,y_2\n0.2,0.3,0.5,0,1,1\n0.6,0.3,0.1,1,0,0\n");
  EXPECT_FAILS(run("$tare measure t.csv --labels 'y_*'"));
  write("t.csv", "p_a,p_b,p_c,label\n0.2,0.3,0.5,3\n0.6,0.3,0.1,1\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv --first-label 1") + quick));
  write("t.csv", "p_0,p_1,p_2,label\n0.2,0.3,0.5,2.0\n0.6,0.3,0.1,0.0\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.csv") + quick));
}

TEST_F(your_data, suspicions_are_notes_with_a_remedy) {
  std::string rows = "p_0,p_1,p_2,label\n", logits = "z_0,z_1,z_2,label\n";
  for (int i = 0; i < 200; ++i) {
    rows += "0.8,0.1,0.1,1\n";
    logits += i % 2 ? "0.8,0.1,0.1,0\n" : "0.1,0.3,0.6,2\n";
  }
  write("wrong.csv", rows);
  const auto wrong = run(std::string("$tare measure wrong.csv") + quick);
  EXPECT_KEPT(note(wrong));
  EXPECT_KEPT(wrong.err);
  EXPECT_EQ(run(std::string("$tare measure wrong.csv --quiet") + quick).err, "");
  EXPECT_HAS(run("$tare measure wrong.csv --no-interval").out, "Note: the predicted class is right in 0% of the rows");
  write("logits.csv", logits);
  EXPECT_KEPT(note(run(std::string("$tare measure logits.csv") + quick)));
  write("named.csv", "p_cat,p_dog,label\n0.25,0.75,1\n0.75,0.25,0\n");
  EXPECT_KEPT(note(run(std::string("$tare measure named.csv") + quick)));
  write("percent.csv", "p_0,p_1,p_2,label\n20,30,50,2\n60,30,10,0\n");
  EXPECT_FAILS(run("$tare measure percent.csv"));
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure percent.csv --percent") + quick));
  EXPECT_FAILS(run("$tare measure logits.csv --percent"));
  for (const char* network : {"resnet110_cifar10", "lenet5_cifar10", "wrn32_4_cifar100"}) {
    const auto quiet = run(std::string("$tare measure $data/") + network + ".npz" + quick);
    EXPECT_EQ(note(quiet), "") << network;
    EXPECT_EQ(quiet.err, "");
  }
}

// 0.33 three times: 0.99 is within 3 * 0.005 of 1. Divided by its sum each is 1/3.
TEST_F(your_data, rounded_rows_are_accepted_and_it_is_said_once) {
  write("t.csv", "p_0,p_1,p_2,label\n0.33,0.33,0.33,1\n0.33,0.33,0.33,2\n");
  const auto ran = run(std::string("$tare measure t.csv") + quick);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NEAR(value(json::parse(ran.out), "brier"), 4 / 9. + 2 / 9., 1e-12);
  EXPECT_KEPT(note(ran));
  write("t.csv", "p_0,p_1,p_2,label\n0.33,0.33,0.32,1\n");  // 0.98
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_FAILS(run("$tare measure t.csv"));
  const auto more = run(std::string("$tare measure t.csv --renormalize") + quick);
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NEAR(value(json::parse(more.out), "confidence"), 0.33 / 0.98, 1e-12);
  write("t.csv", "p_0,p_1,p_2,label\n0.331,0.329,0.330,1\n");  // three decimals do not explain 0.01
  EXPECT_FAILS(run("$tare measure t.csv"));
}

TEST_F(your_data, missing_values_are_an_error_or_dropped_and_counted) {
  write("t.csv", "p_0,p_1,p_2,label\n0.2,0.3,0.5,2\n,0.5,0.5,1\n0.6,0.3,0.1,0\n0.1,0.1,0.8,NA\nnan,0,1,2\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_FAILS(run("$tare measure t.csv"));
  const auto ran = run(std::string("$tare measure t.csv --drop-missing") + quick);
  EXPECT_THE_TWO_ROWS(ran);
  EXPECT_KEPT(note(ran));
  write("t.csv", "prob,label\n0.75,1\n0.25,0\n0.5,NA\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --drop-missing") + quick));
  write("t.csv", "prob,label\n0.75,yes\n0.25,no\n0.5,\n7,no\n");
  EXPECT_FAILS(run("$tare measure t.csv --drop-missing"));
  write("t.csv", "prob,label\n,1\n0.5,\n");
  EXPECT_FAILS(run("$tare measure t.csv --drop-missing"));
}

// softmax(0, 0, -inf) is (1/2, 1/2, 0).
TEST_F(your_data, infinite_logits_are_probability_zero) {
  write("t.csv", "z_0,z_1,z_2,label\n0,0,-inf,1\n-inf,1,1,2\n");
  const auto ran = run(std::string("$tare measure t.csv") + quick + ",nll");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NEAR(value(json::parse(ran.out), "brier"), 0.5, 1e-12);
  EXPECT_NEAR(value(json::parse(ran.out), "nll"), 0.693147180559945309, 1e-12);
  write("t.csv", "z_0,z_1,z_2,label\n0,0,-inf,2\n-inf,1,1,2\n");
  EXPECT_HAS(run(std::string("$tare measure t.csv") + quick + ",nll").out,
             "1 row gives probability 0 to what happened");
  write("t.csv", "z_0,z_1,z_2,label\n0,0,-inf,2\n-inf,-inf,-inf,2\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
}

// A class that is masked everywhere changes neither the fit of the others nor gets any probability.
TEST_F(your_data, infinite_logits_are_fitted_around) {
  std::string with = "z_0,z_1,z_2,label\n", without = "z_0,z_1,label\n";
  for (int i = 0; i < 300; ++i) {
    const std::string z = std::to_string(i % 7 - 3) + "," + std::to_string(i % 5 - 2);
    const std::string y = std::to_string((i * 7 % 10 < 3) != (i % 7 - 3 < i % 5 - 2));
    with += z + ",-inf," + y + "\n";
    without += z + "," + y + "\n";
  }
  write("with.csv", with);
  write("without.csv", without);
  const auto temperature = [&](const char* file) {
    const auto ran = run(std::string("$tare fit temperature ") + file + " --json --quiet");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out).at("parameters").at("temperature").get<double>();
  };
  EXPECT_NEAR(temperature("with.csv"), temperature("without.csv"), 1e-7);
  for (const char* method : {"temperature", "vector", "isotonic", "platt"}) {
    const std::string fit = std::string("$tare fit ") + method + " with.csv -o m.json --quiet";
    ASSERT_EQ(run(fit).code, 0) << method;
    ASSERT_EQ(run("$tare apply m.json with.csv -o out.npy --quiet").code, 0) << method;
    const std::string bytes = read("out.npy");
    ASSERT_EQ(bytes.size(), 128U + 300 * 3 * 8);
    for (std::size_t i = 0; i < 300; ++i) {
      double p[3];
      std::memcpy(p, bytes.data() + 128 + i * 24, 24);
      EXPECT_EQ(p[2], 0) << method;
      EXPECT_NEAR(p[0] + p[1], 1, 1e-12) << method;
    }
  }
}

TEST_F(your_data, json_lines) {
  write("t.jsonl", "{\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}\n{\"probs\": [0.6, 0.3, 0.1], \"label\": 0}\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure t.jsonl") + quick));
  write("n.jsonl",
        "{\"label\": \"eel\", \"probs\": {\"cat\": 0.2, \"dog\": 0.3, \"eel\": 0.5}}\n"
        "{\"label\": \"cat\", \"probs\": {\"dog\": 0.3, \"eel\": 0.1, \"cat\": 0.6}}\n");
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure n.jsonl") + quick));
  write("c.jsonl", "{\"confidence\": 0.75, \"correct\": true}\n{\"confidence\": 0.25, \"correct\": false}\n");
  EXPECT_THE_PAIR(run(std::string("$tare measure c.jsonl") + quick));
  write("c.json", "[{\"confidence\": 0.75, \"correct\": 1},\n {\"confidence\": 0.25, \"correct\": 0}]\n");
  EXPECT_THE_PAIR(run(std::string("$tare measure c.json") + quick));
}

TEST_F(your_data, packed_files_and_pipes) {
  write("t.csv", "0,1,2,label\n0.2,0.3,0.5,2\n0.6,0.3,0.1,0\n");
  write("t.tsv", "0\t1\t2\tlabel\n0.2\t0.3\t0.5\t2\n0.6\t0.3\t0.1\t0\n");
  write("t.jsonl", "{\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}\n{\"probs\": [0.6, 0.3, 0.1], \"label\": 0}\n");
  for (const std::string file : {"t.csv", "t.tsv", "t.jsonl"})
    EXPECT_THE_TWO_ROWS(run("gzip -k " + file + " && $tare measure " + file + ".gz" + quick));
  EXPECT_THE_TWO_ROWS(run(std::string("cat t.jsonl.gz | $tare measure - --format jsonl.gz") + quick));
  const auto bash = [&](const std::string& command) { return run("bash -c '" + command + "'"); };
  EXPECT_THE_TWO_ROWS(bash(std::string("$tare measure <(cat t.csv)") + quick));
  EXPECT_THE_TWO_ROWS(bash(std::string("$tare measure <(cat t.jsonl) --format jsonl") + quick));
  EXPECT_THE_TWO_ROWS(
      bash(std::string("$tare measure --probs <(cut -d, -f1-3 t.csv) --labels <(cut -d, -f4 t.csv)") + quick));
  EXPECT_FAILS(run("cp t.csv predictions && $tare measure predictions"));
  EXPECT_THE_TWO_ROWS(run(std::string("$tare measure predictions --format csv") + quick));
  EXPECT_FAILS(run("cp t.csv t.csv.gz && $tare measure t.csv.gz"));
}

// Two models on the same 4,000 rows: one says 0.8 and is right in 80% of them, the other says 0.99 and is as often
// right.
TEST_F(your_data, several_files_are_one_table_with_the_best_first) {
  std::string good = "p_0,p_1,p_2,label\n", bold = good, others = good;
  for (int i = 0; i < 4000; ++i) {
    const std::string label = i % 5 ? "0\n" : i % 2 ? "1\n" : "2\n";
    good += "0.8,0.1,0.1," + label;
    bold += "0.99,0.005,0.005," + label;
    others += "0.8,0.1,0.1,0\n";
  }
  ASSERT_EQ(run("mkdir runs").code, 0);
  write("runs/a_bold.csv", bold);
  write("runs/b_good.csv", good);
  const auto ran = run("$tare measure runs/*.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LT(ran.out.find("b_good"), ran.out.find("a_bold")) << ran.out;
  EXPECT_HAS(ran.out, "19.00*");
  EXPECT_LACKS(ran.out, "runs/");
  for (std::size_t at = 0; at < ran.out.size();) {
    const std::size_t line_end = ran.out.find('\n', at);
    EXPECT_LE(line_end - at, 80U) << ran.out.substr(at, line_end - at);
    at = line_end + 1;
  }
  const json answer = json::parse(run("$tare measure runs/*.csv --json").out);
  ASSERT_EQ(answer.at("models").size(), 2U);
  const json& first = answer.at("models")[0];
  EXPECT_EQ(first.at("input").at("source"), "runs/b_good.csv");
  EXPECT_NEAR(first.at("brier").get<double>(), 0.8 * (0.04 + 0.02) + 0.2 * (0.64 + 0.81 + 0.01), 1e-12);
  EXPECT_EQ(first.at("verdict").at("outcome"), "nothing_found");
  EXPECT_TRUE(answer.at("same_rows"));
  for (const json& d : answer.at("models")[1].at("differences")) EXPECT_EQ(d.at("change"), "worse") << d;
  EXPECT_EQ(answer.at("models")[1].at("verdict"),
            json::parse(run("$tare measure runs/a_bold.csv --json").out)["verdict"]);
  EXPECT_EQ(run("$tare measure runs/*.csv --gate").code, 1);
  const auto narrow = run("COLUMNS=60 $tare measure runs/*.csv").out;
  EXPECT_HAS(narrow, "19.00*");
  EXPECT_LE(narrow.find('\n'), 60U);
  const std::string table = run("$tare measure runs/*.csv --csv").out;
  EXPECT_TRUE(table.starts_with("model,n,score,label,error,low,high,brier,p_value,verdict,")) << table;
  EXPECT_HAS(table, "\nruns/b_good.csv,4000,0.8");
  EXPECT_HAS(table, "miscalibrated,worse,worse\n");
  write("runs/c_other.csv", others);
  EXPECT_HAS(run("$tare measure runs/*.csv").out, "not judged: the files do not have the same labels");
  EXPECT_FAILS(run("$tare measure runs/*.csv --bias"));
}

// A spreadsheet of a country that writes decimals with a comma, and one that writes percent signs.
TEST_F(your_data, numbers_of_spreadsheets) {
  write("t.csv", "\xef\xbb\xbfProbability;Result\r\n0,75;Yes\r\n0,25;No\r\n");
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv") + quick));
  write("t.csv", "Prob,Result\n75.0%,Win\n25.0%,Loss\n");
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv") + quick));  // a cell with a percent sign is a percentage
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --percent") + quick));
  write("t.csv", "probability,churned\n0.75,yes\n0.25,no\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_THE_PAIR(run(std::string("$tare measure t.csv --labels churned") + quick));
}

// What does not fit into memory goes through a state, and is read in the same ways.
TEST_F(your_data, the_way_through_a_state_reads_the_same) {
  std::string json_lines, table = "prob,result\n";
  for (int i = 0; i < 300; ++i) {
    const std::string p = "0." + std::to_string(10 + i % 80);
    table += (i % 50 ? p : "NA") + (i % 3 ? ",home\n" : ",away\n");
    json_lines += "{\"probs\": {\"a\": " + p + ", \"b\": 0." + std::to_string(90 - i % 80) + "}, \"answer\": \"" +
                  (i % 3 ? "a" : "b") + "\"}\n";
  }
  write("t.csv", table);
  write("t.jsonl", json_lines);
  for (const char* arguments : {"t.csv --labels result --positive home --drop-missing", "t.jsonl --labels answer"}) {
    const std::string measure = std::string("$tare measure ") + arguments + " --quiet" + quick;
    const auto direct = run(measure), through = run("TARE_MEMORY=1 " + measure);
    ASSERT_EQ(through.code, 0) << through.err;
    EXPECT_KEPT(note(through));
    EXPECT_EQ(json::parse(direct.out).at("input").at("n"), json::parse(through.out).at("input").at("n"));
    for (const char* name : {"brier", "accuracy", "confidence"})
      EXPECT_NEAR(value(json::parse(direct.out), name), value(json::parse(through.out), name), 1e-12) << name;
  }
}

}  // namespace
