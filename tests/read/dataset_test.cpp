#include "tare/read/dataset.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/folders.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using tare::detail::read::Fold;
using tare::detail::testing::Folder;
using tare::detail::testing::must;
using tare::detail::testing::npy_of;
using tare::detail::testing::npy_text;
using tare::detail::testing::numpy_file;
using tare::detail::testing::raw;
using tare::detail::testing::shipped;
using tare::detail::testing::slurp;
using Strings = std::vector<std::string>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Ints = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

Error refused(const Fold& names) {
  const auto p = read::all_rows(names);
  if (p) {
    ADD_FAILURE() << "accepted";
    return {};
  }
  EXPECT_FALSE(sentence(p.error()).empty());
  EXPECT_FALSE(p.error().remedy.empty()) << sentence(p.error());
  return p.error();
}

std::vector<int> labels(const Predictions& p) { return {p.matrix->label().begin(), p.matrix->label().end()}; }
std::vector<int> hits(const Predictions& p) { return {p.confidences->label().begin(), p.confidences->label().end()}; }

// --- files that ship with the project (sizes: data/README.md) ---

TEST(fold, a_shipped_network_needs_no_options) {
  const auto p = must(read::all_rows({.files = {shipped("resnet110_cifar10.npz")}}));
  EXPECT_EQ(p.kind, Kind::logits);
  EXPECT_EQ(p.n, 10000U);
  EXPECT_EQ(p.k, 10U);
  EXPECT_EQ(p.source, shipped("resnet110_cifar10.npz") + " (test)");
  EXPECT_TRUE(p.matrix->values().is_float32());
  const auto v = must(read::all_rows({.files = {shipped("resnet110_cifar10.npz")}, .split = "val"}));
  EXPECT_EQ(v.n, 5000U);
  EXPECT_EQ(v.source, shipped("resnet110_cifar10.npz") + " (val)");
}

TEST(fold, a_shipped_network_in_float16) {
  const auto p = must(read::all_rows({.files = {shipped("lenet5_cifar100.npz")}}, 2));
  EXPECT_EQ(p.n, 10000U);
  EXPECT_EQ(p.k, 100U);
  EXPECT_TRUE(p.matrix->values().is_float32());
}

TEST(fold, arrays_of_an_archive_can_be_named) {
  const std::string f = shipped("lenet5_cifar10.npz");
  EXPECT_EQ(must(read::all_rows({.logits = f + ":val_logits", .labels = f + ":val_labels"})).n, 5000U);
  EXPECT_EQ(must(read::all_rows({.logits = f, .labels = f, .split = "val"})).n, 5000U);
  EXPECT_EQ(must(read::all_rows({.files = {f}, .logits = "val_logits", .labels = "val_labels"})).n, 5000U);
  EXPECT_EQ(must(read::all_rows({.logits = f, .labels = f})).source, f + " (test)");
  EXPECT_KEPT(sentence(refused({.logits = f + ":val_logits", .labels = f + ":test_labels"})));
  EXPECT_KEPT(sentence(refused({.logits = f + ":logits", .labels = f})));
}

// --- arrays ---

TEST(fold, a_mapped_matrix_is_not_copied_but_its_labels_are) {
  const Folder folder;
  const auto p =
      must(read::all_rows({.probs = folder.write("p.npy", npy_of(Floats{0.25F, 0.75F, 0.5F, 0.5F}, "(2, 2)")),
                           .labels = folder.write("y.npy", npy_of(Ints{1, 0}, "(2,)"))}));
  EXPECT_EQ(p.kind, Kind::probs);
  EXPECT_EQ(p.k, 2U);
  EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
  EXPECT_EQ(p.source, folder.path("p.npy") + ", " + folder.path("y.npy"));
  // np.save puts the numbers at byte 128 of a file; a mapping begins at a page
  p.matrix->values().visit([](auto s) { EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s.data()) % 4096, 128U); });
}

TEST(fold, binary_vectors_and_matrices_of_one_or_two_columns) {
  const Folder folder;
  const std::string y = folder.write("y.npy", npy_of(Ints{1, 0}, "(2,)"));
  for (const char* shape : {"(2,)", "(2, 1)"}) {
    const auto p =
        must(read::all_rows({.logits = folder.write("z.npy", npy_of(Doubles{1.5, -2}, shape)), .labels = y}));
    EXPECT_EQ(p.k, 2U);
    EXPECT_EQ(p.matrix->columns(), 1U);
  }
  EXPECT_EQ(
      must(read::all_rows({.logits = folder.write("z2.npy", npy_of(Doubles{1.5, -2, 1, 3}, "(2, 2)")), .labels = y})).k,
      2U);
}

TEST(fold, confidences_with_hits_or_with_predictions_and_labels) {
  const Folder folder;
  const std::string c = folder.write("c.npy", npy_of(Floats{0.9F, 0.8F, 0.7F}, "(3,)"));
  const std::string h = folder.write("h.npy", npy_of(Bytes{1, 0, 1}, "(3,)"));
  const std::string y = folder.write("y.npy", npy_of(Ints{4, 5, 6}, "(3,)"));
  const std::string q = folder.write("q.npy", npy_of(Doubles{4, 0, 6}, "(3, 1)"));
  const std::string w = folder.write("w.npy", npy_of(Ints{1, 2, 3}, "(3,)"));
  const auto a = must(read::all_rows({.confidences = c, .correct = h, .weights = w}));
  EXPECT_EQ(a.kind, Kind::confidences);
  EXPECT_EQ(hits(a), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(a.confidences->weight()[2], 3);
  EXPECT_EQ(a.k, 0U);
  EXPECT_EQ(hits(must(read::all_rows({.confidences = c, .predictions = q, .labels = y}))), (std::vector<int>{1, 0, 1}));
}

TEST(fold, every_bad_value_is_named_with_its_file_and_row) {
  const Folder folder;
  const auto message = [&](const Doubles& p, const Ints& y) {
    const std::string shape = "(" + std::to_string(p.size() / 2) + ", 2)", n = "(" + std::to_string(y.size()) + ",)";
    auto e = sentence(
        refused({.probs = folder.write("p.npy", npy_of(p, shape)), .labels = folder.write("y.npy", npy_of(y, n))}));
    return e.substr(std::min(e.size(), folder.path("").size()));  // without the folder's name
  };
  EXPECT_EQ(message({0.5, 0.5, -0.2, 1.2}, {0, 1}), "p.npy: row 1, column 0: probability is -0.2, not in [0, 1]");
  EXPECT_EQ(message({0.5, 0.5, 1.2, 0}, {0, 1}), "p.npy: row 1, column 0: probability is 1.2, not in [0, 1]");
  EXPECT_EQ(message({0.5, 0.5, 0.5, std::numeric_limits<double>::quiet_NaN()}, {0, 1}),
            "p.npy: row 1, column 1: probability is nan, not in [0, 1]");
  EXPECT_EQ(message({0.5, 0.5, 0.5, 0.25}, {0, 1}), "p.npy: row 1: probabilities sum to 0.75, not to 1");
  EXPECT_EQ(message({0.5, 0.5, 0.5, 0.5}, {0, 2}), "y.npy: row 1: label is 2, not in 0..1");
  EXPECT_EQ(message({0.5, 0.5, 0.5, 0.5}, {-1, 1}), "y.npy: row 0: label is -1, not in 0..1");
  EXPECT_EQ(message({0.5, 0.5, 0.5, 0.5}, {0, 1, 1}).substr(0, 20), "y.npy has 3 rows, bu");
  EXPECT_EQ(message({}, {}), "p.npy: has no rows");
}

TEST(fold, bad_weights_and_hits_are_blamed_on_their_file) {
  const Folder folder;
  const std::string p = folder.write("p.npy", npy_of(Doubles{0.5, 0.25}, "(2,)"));
  const std::string y = folder.write("y.npy", npy_of(Ints{0, 1}, "(2,)"));
  const std::string w = folder.write("w.npy", npy_of(Doubles{1, -1}, "(2,)"));
  const std::string h = folder.write("h.npy", npy_of(Bytes{0, 7}, "(2,)"));
  EXPECT_KEPT(sentence(refused({.probs = p, .labels = y, .weights = w})));
  EXPECT_KEPT(sentence(refused({.confidences = p, .correct = y, .weights = w})));
  EXPECT_KEPT(sentence(refused({.confidences = p, .correct = h})));
}

TEST(fold, logits_declared_as_probabilities_get_the_option_as_a_hint) {
  const Folder folder;
  const auto e = refused({.probs = folder.write("p.npy", npy_of(Doubles{3.2, -1}, "(2,)")),
                          .labels = folder.write("y.npy", npy_of(Ints{0, 1}, "(2,)"))});
  EXPECT_KEPT(sentence(e));
  EXPECT_KEPT(e.remedy);
}

TEST(fold, float16_rows_may_sum_to_one_less_exactly) {
  const Folder folder;
  // 0x3800 = 0.5, 0x3808 = 0.50390625: the sum 1.0039 is within 5e-3 but not within 1e-3
  const std::string half =
      folder.write("h.npy", npy_text("<f2", "(1, 2)", raw(std::vector<std::uint16_t>{0x3800, 0x3808})));
  const std::string full = folder.write("f.npy", npy_of(Floats{0.5F, 0.50390625F}, "(1, 2)"));
  const std::string y = folder.write("y.npy", npy_of(Ints{0}, "(1,)"));
  EXPECT_EQ(must(read::all_rows({.probs = half, .labels = y})).n, 1U);
  EXPECT_KEPT(sentence(refused({.probs = full, .labels = y})));
}

TEST(fold, multi_label_is_refused) {
  const Folder folder;
  const auto e = refused({.probs = folder.write("p.npy", npy_of(Doubles{0.5, 0.5, 0.25, 0.75}, "(2, 2)")),
                          .labels = folder.write("y.npy", npy_of(Ints{0, 1, 1, 1}, "(2, 2)"))});
  EXPECT_KEPT(sentence(e));
  EXPECT_KEPT(e.remedy);
}

// --- tables ---

TEST(fold, a_table_with_the_usual_names) {
  const Folder folder;
  const auto p = must(
      read::all_rows({.files = {folder.write("a.csv", "id,p_cat,p_dog,label,weight\na,0.25,0.75,1,2\nb,0.5,0.5,0,1\n")},
                      .weights = "weight"}));
  EXPECT_EQ(p.kind, Kind::probs);
  EXPECT_EQ(p.n, 2U);
  EXPECT_EQ(p.k, 2U);
  EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
  EXPECT_EQ(p.class_names, (Strings{"cat", "dog"}));
  EXPECT_EQ(p.matrix->weight()[0], 2);
  const auto z =
      must(read::all_rows({.files = {folder.write("z.tsv", "logit_0\tlogit_1\tlogit_2\ttarget\n1\t-2.5\t3\t2\n")}}));
  EXPECT_EQ(z.kind, Kind::logits);
  EXPECT_EQ(z.k, 3U);
  EXPECT_TRUE(z.class_names.empty());
  const auto b = must(read::all_rows({.files = {folder.write("b.csv", "p;y\r\n0.25;1\r\n0.5;0\r\n")}}));
  EXPECT_EQ(b.k, 2U);
  EXPECT_EQ(b.matrix->columns(), 1U);
  const auto c = must(read::all_rows({.files = {folder.write("c.csv", "confidence,correct\n0.9,True\n0.8,false\n")}}));
  EXPECT_EQ(hits(c), (std::vector<int>{1, 0}));
  const auto d = must(
      read::all_rows({.files = {folder.write("d.csv", "conf,pred,label\n0.9,cat,cat\n0.8,dog,cat\n0.7,fox,dog\n")}}));
  EXPECT_EQ(hits(d), (std::vector<int>{1, 0, 0}));
}

TEST(fold, columns_can_be_named) {
  const Folder folder;
  const std::string f = folder.write("a.csv", "q_0,q_1,p_0,p_1,truth\n0.25,0.75,0.1,0.9,1\n0.5,0.5,0.2,0.8,0\n");
  for (const Fold& names :
       {Fold{.files = {f}, .probs = "q_*", .labels = "truth"}, Fold{.probs = f + ":q_*", .labels = f + ":truth"}}) {
    const auto p = must(read::all_rows(names));
    EXPECT_EQ(p.k, 2U);
    EXPECT_EQ(p.matrix->values()[1], 0.75);
    EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
    EXPECT_EQ(p.source, f);
  }
  EXPECT_EQ(must(read::all_rows({.probs = f + ":q_1", .labels = f + ":truth"})).matrix->columns(), 1U);
  EXPECT_KEPT(sentence(refused({.files = {f}, .probs = "r_*", .labels = "truth"})));
  EXPECT_KEPT(sentence(refused({.files = {f}, .probs = "*", .labels = "truth"})));
}

TEST(fold, class_names_in_labels_are_those_of_the_columns) {
  const Folder folder;
  const auto p =
      must(read::all_rows({.files = {folder.write("a.csv", "p_cat,p_dog,label\n0.25,0.75,dog\n0.5,0.5,cat\n")}}));
  EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("b.csv", "p_cat,p_dog,label\n0.25,0.75,dog\n0.5,0.5,cow\n")}})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("c.csv", "p,label\n0.25,dog\n")}})));
}

TEST(fold, names_in_lists_are_taken_as_they_are) {
  const Folder folder;
  const std::string other = folder.write("other.txt", "x\ny\nz\n");
  const std::string f = folder.write("a.csv", "\"p,0\",\"" + other + "\",label\n0.25,0.75,c\n0.5,0.5,\"a,b\"\n");
  const Fold wanted{.files = {f},
                    .reading = {.names = {"a,b", "c"}},
                    .members = {{read::Role::probs, {"p,0", other}}, {read::Role::labels, {"label"}}}};
  const auto p = must(read::all_rows(wanted));
  EXPECT_EQ(p.class_names, (Strings{"a,b", "c"}));
  EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
  Fold turned = wanted;
  turned.members[read::Role::probs] = {other, "p,0"};
  EXPECT_EQ(must(read::all_rows(turned)).matrix->values()[0], 0.75);
  Fold a_file = wanted;
  a_file.reading.names = {other, "c"};
  EXPECT_HAS(sentence(refused(a_file)), "label is 'a,b', but the columns are for ");
  Fold missing = wanted;
  missing.members[read::Role::probs] = {"p,0", "q"};
  EXPECT_HAS(sentence(refused(missing)), "holds nothing named 'q'");
  Fold three = wanted;
  three.reading.names = {"a", "b", "c"};
  EXPECT_KEPT(sentence(refused(three)));
}

TEST(fold, columns_numbered_from_one_take_labels_numbered_from_one) {
  const Folder folder;
  const std::string header = "p_1,p_2,p_3,label\n";
  const auto p = must(read::all_rows({.files = {folder.write("a.csv", header + "0.2,0.3,0.5,3\n0.2,0.3,0.5,1\n")}}));
  EXPECT_EQ(labels(p), (std::vector<int>{2, 0}));
  EXPECT_EQ(p.class_names, (Strings{"1", "2", "3"}));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("b.csv", header + "0.2,0.3,0.5,3\n0.2,0.3,0.5,0\n")}})));
  // columns out of order: the name decides
  const auto q = must(read::all_rows({.files = {folder.write("c.csv", "p_2,p_0,p_1,label\n0.2,0.3,0.5,2\n")}}));
  EXPECT_EQ(labels(q), std::vector<int>{0});
}

TEST(fold, bad_cells_of_a_table_are_named_by_line_and_column) {
  const Folder folder;
  const auto message = [&](const std::string& text) {
    auto e = sentence(refused({.files = {folder.write("a.csv", text)}}));
    return e.substr(folder.path("").size());
  };
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n1.2,-0.2,1\n"),
            "a.csv: line 3, column 'p_0': probability is 1.2, not in [0, 1]");
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n0.5,nan,1\n"),
            "a.csv: line 3, column 'p_1': probability is nan, not in [0, 1]");
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n0.5,0.25,1\n"), "a.csv: line 3: probabilities sum to 0.75, not to 1");
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n0.5,0.5,2\n"), "a.csv: line 3, column 'label': label is 2, not in 0..1");
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n0.5,0.5,1.5\n"),
            "a.csv: line 3, column 'label': label is 1.5, not a class index");
  EXPECT_EQ(message("p_0,p_1,label\n0.5,0.5,0\n0.5,x,1\n"), "a.csv: line 3, column 'p_1': 'x' is not a number");
  EXPECT_EQ(message("p_0,p_1,label\n"), "a.csv: has no rows");
  EXPECT_EQ(message("conf,correct\n0.5,1\n0.5,2\n"), "a.csv: line 3, column 'correct' is 2, not 0 or 1");
  EXPECT_EQ(message("conf,correct\n0.5,1\n1.5,1\n"), "a.csv: line 3, column 'conf': score is 1.5, not in [0, 1]");
  EXPECT_EQ(message("conf,correct\n0.5,true\n0.5,maybe\n"),
            "a.csv: line 3, column 'correct': 'maybe' is not a hit or a miss");
  EXPECT_EQ(message("p_0,label\n0.5,1\n"), "a.csv: column 'p_0' stands alone but is about class 0");
}

TEST(fold, a_table_of_class_columns_declared_as_probabilities) {
  const Folder folder;
  const auto p = must(read::all_rows({.probs = folder.write("p.csv", "cat,dog\n0.25,0.75\n0.5,0.5\n"),
                                      .labels = folder.write("y.csv", "truth\ndog\ncat\n")}));
  EXPECT_EQ(p.class_names, (Strings{"cat", "dog"}));
  EXPECT_EQ(labels(p), (std::vector<int>{1, 0}));
}

TEST(fold, standard_input_is_a_table_and_may_serve_two_roles) {
  const Folder folder;
  for (const bool two_roles : {false, true}) {
    const std::string path = folder.write("in.csv", "p,label\n0.25,1\n0.5,0\n");
    const int saved = ::dup(STDIN_FILENO), file = ::open(path.c_str(), O_RDONLY);
    ASSERT_GE(file, 0);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
    const auto p = read::all_rows(two_roles ? Fold{.probs = "-:p", .labels = "-:label"} : Fold{.files = {"-"}});
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
    ASSERT_TRUE(p) << sentence(p.error());
    EXPECT_EQ(p->n, 2U);
    EXPECT_EQ(p->source, "standard input");
  }
}

// --- what is missing, doubled or unclear ---

TEST(fold, names_that_do_not_decide_are_an_error_that_lists_them) {
  const Folder folder;
  const auto e = refused({.files = {folder.write("a.csv", "a,b,c\n1,2,3\n")}});
  EXPECT_KEPT(sentence(e));
  EXPECT_KEPT(e.remedy);
  EXPECT_KEPT(sentence(refused({.files = {folder.write("b.csv", "logit_0,logit_1,p_0,p_1,label\n1,2,0.5,0.5,1\n")}})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("c.csv", "p,label,target\n0.5,1,1\n")}})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("d.csv", "p_0,p_1\n0.5,0.5\n")}})));
  EXPECT_KEPT(refused({.files = {folder.write("e.csv", "p,test_p,label,test_label\n0.5,0.5,1,1\n")}}).remedy);
  EXPECT_KEPT(sentence(refused({.files = {shipped("lenet5_cifar10.npz")}, .split = "train"})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("f.csv", "p,label\n0.5,1\n")}, .split = "val"})));
  EXPECT_KEPT(sentence(refused({.files = {shipped("training_runs.csv")}})));
}

TEST(fold, options_that_do_not_fit_together) {
  const Folder folder;
  const std::string p = folder.write("p.npy", npy_of(Doubles{0.5, 0.25}, "(2,)"));
  EXPECT_KEPT(sentence(refused({})));
  EXPECT_EQ(refused({}).code, Errc::bad_option);
  EXPECT_KEPT(sentence(refused({.logits = p, .probs = p, .labels = p})));
  EXPECT_KEPT(sentence(refused({.logits = p})));
  EXPECT_KEPT(refused({.confidences = p}).remedy);
  EXPECT_KEPT(sentence(refused({.confidences = p, .labels = p})));
  EXPECT_KEPT(sentence(refused({.probs = p, .correct = p})));
  EXPECT_KEPT(sentence(refused({.confidences = p, .correct = p, .labels = p})));
  EXPECT_KEPT(sentence(refused({.files = {p}})));
  EXPECT_KEPT(sentence(refused({.probs = p + ":x", .labels = p})));
  EXPECT_KEPT(
      refused({.confidences = folder.write("m.npy", npy_of(Doubles{0.5, 0.5}, "(1, 2)")), .correct = p}).remedy);
}

TEST(fold, files_that_cannot_be_read) {
  const Folder folder;
  const auto missing = refused({.probs = folder.path("none.npy"), .labels = "x"});
  EXPECT_EQ(missing.code, Errc::io);
  EXPECT_KEPT(sentence(missing));
  EXPECT_KEPT(sentence(refused({.files = {folder.path("")}})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("a.parquet", "x")}})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("empty.npz", "")}})));
  EXPECT_KEPT(sentence(refused({.probs = folder.write("empty.npy", ""), .labels = "x"})));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("empty.csv", "")}})));
  const std::string archive = slurp(shipped("lenet5_cifar10.npz"));
  EXPECT_KEPT(sentence(refused({.files = {folder.write("cut.npz", archive.substr(0, archive.size() / 2))}})));
  EXPECT_KEPT(sentence(refused({.probs = numpy_file("cube.npy"), .labels = numpy_file("cube.npy")})));
}

// What the Python package reads: the error names the command.
TEST(fold, files_that_python_reads) {
  const Folder folder;
  const auto said = [&](const std::string& name, const std::string& text, const std::string& format = "") {
    const Error e = refused({.files = {folder.write(name, text)}, .reading = {.format = format}});
    return sentence(e) + " | " + e.remedy;
  };
  for (const std::string name : {"a b.parquet", "a.pq", "a.feather", "a.ARROW", "a.ipc", "a.h5", "a.hdf5", "a.xlsx"})
    EXPECT_HAS(said(name, "x"),
               "| python -m tare measure '" + folder.path(name) + "' reads it, after pip install 'tare[");
  EXPECT_HAS(said("a.xls", "x"), "save it as .xlsx or .csv");
  // by their first bytes, where something else is said about them
  const auto zip_of = [](const std::string& member) {
    std::string head("PK\x03\x04", 4);
    head.resize(30);
    head[26] = static_cast<char>(member.size());
    return head + member + std::string(64, '\1');
  };
  EXPECT_HAS(said("b.parquet", "PAR1 and so on", "csv"), "b.parquet: is a Parquet file | python -m tare measure '");
  EXPECT_HAS(said("b.csv", "PAR1 and so on"),
             "save it as a file that ends in .parquet: python -m tare measure FILE.parquet");
  EXPECT_HAS(said("b.txt", "ARROW1 and so on", "csv"), "is an Arrow file");
  EXPECT_HAS(said("b2.csv", "\x89HDF\r\n\x1a\n"), "is an HDF5 file");
  EXPECT_HAS(said("b3.csv", "\xd0\xcf\x11\xe0"), "is an Excel file | save it as .xlsx or .csv");
  EXPECT_HAS(said("c.xlsx", zip_of("[Content_Types].xml"), "csv"), "is an Excel file | python -m tare measure '");
  EXPECT_HAS(said("c.csv", zip_of("xl/workbook.xml")), "is an Excel file");
  EXPECT_HAS(said("d.csv", zip_of("logits.npy")), "it is a NumPy file: name it .npy or .npz");
}

// --- larger reference data, where present ---

TEST(fold, predictions_of_kangsepp_et_al) {
  const std::string folder = tare::detail::testing::shared_dir() + "/data/kangsepp_resnet110_c10";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference data";
  const auto p = must(read::all_rows({.logits = folder + "/test_logits.npy", .labels = folder + "/test_labels.npy"}));
  EXPECT_EQ(p.n, 10000U);
  EXPECT_EQ(p.k, 10U);
}

// --- in pieces ---

struct Gathered {
  Doubles score;
  Ints label;
  std::size_t pieces = 0;
};

Gathered gathered(const Fold& names, const read::PieceSize& pieces) {
  Gathered out;
  const auto data = must(read::Dataset::open(names));
  const auto done = data.read_pieces(
      [&](const Predictions& p) -> Result<void> {
        ++out.pieces;
        p.matrix->values().visit([&](auto v) { out.score.insert(out.score.end(), v.begin(), v.end()); });
        out.label.insert(out.label.end(), p.matrix->label().begin(), p.matrix->label().end());
        return {};
      },
      1, pieces);
  EXPECT_TRUE(done) << sentence(done.error());
  return out;
}

TEST(dataset_pieces, hold_every_row_once_and_in_order) {
  const Folder folder;
  std::string table = "\"note\",p_0,p_1,label\n";
  for (int i = 0; i < 50; ++i)
    table += (i % 7 == 0 ? "\"two\nlines, \"\"quoted\"\"\"" : "plain") +
             std::string(i % 3 == 0 ? ",0.25,0.75,1\n" : ",0.5,0.5,0\n");
  const std::string path = folder.write("t.csv", table);
  const Gathered whole = gathered({.files = {path}}, {});
  EXPECT_EQ(whole.pieces, 1U);
  EXPECT_EQ(whole.label.size(), 50U);
  for (const std::size_t bytes : {1U, 17U, 100U, 500U}) {
    const Gathered parts = gathered({.files = {path}}, {.bytes = bytes});
    EXPECT_GT(parts.pieces, 1U);
    EXPECT_EQ(parts.score, whole.score) << bytes;
    EXPECT_EQ(parts.label, whole.label) << bytes;
  }
  const Fold network{.files = {shipped("lenet5_cifar10.npz")}, .split = "val"};
  const Gathered rows = gathered(network, {}), slices = gathered(network, {.rows = 777});
  EXPECT_EQ(rows.pieces, 1U);
  EXPECT_EQ(slices.pieces, 7U);
  EXPECT_EQ(slices.score, rows.score);
  EXPECT_EQ(slices.label, rows.label);
}

TEST(dataset_pieces, errors_name_the_line_and_the_row) {
  const Folder folder;
  std::string table = "prob,label\n";
  for (int i = 0; i < 40; ++i) table += i == 33 ? "1.5,1\n" : "0.5,1\n";
  const auto nothing = [](const Predictions&) -> Result<void> { return {}; };
  const auto of_table =
      must(read::Dataset::open({.files = {folder.write("t.csv", table)}})).read_pieces(nothing, 1, {.bytes = 30});
  ASSERT_FALSE(of_table);
  EXPECT_NE(sentence(of_table.error()).find("line 35"), std::string::npos) << sentence(of_table.error());
  Doubles p(40, 0.5);
  p[33] = 1.5;
  const auto of_array = must(read::Dataset::open({.probs = folder.write("p.npy", npy_of(p, "(40,)")),
                                                  .labels = folder.write("y.npy", npy_of(Ints(40, 1), "(40,)"))}))
                            .read_pieces(nothing, 1, {.rows = 8});
  ASSERT_FALSE(of_array);
  EXPECT_NE(sentence(of_array.error()).find("row 33"), std::string::npos) << sentence(of_array.error());
}

}  // namespace
