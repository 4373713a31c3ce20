// Lists with commas between: an empty place is an error, and never swallows the next option.
#include "cli/program.hpp"

namespace {

using lists = tare::detail::testing::Program;

TEST_F(lists, refuse_an_empty_place) {
  for (const char* command :
       {"bbc --model resnet110_c10 --n , --json", "bbc --model resnet110_c10 --n 200,,500",
        "bbc --model resnet110_c10 --n 200,", "bbc --beta , --curve power:2", "bbc --beta 1,x --curve power:2",
        "bbc --model resnet110_c10 --estimators ,", "measure $data/lenet5_cifar10.npz --estimators , --json",
        "test $data/lenet5_cifar10.npz --statistic ,", "compare $data/lenet5_cifar10.npz --methods , --json",
        "compare $data/lenet5_cifar10.npz --estimators ece_ew,",
        "report $data/lenet5_cifar10.npz --methods , -o r.html", "plot bias --model resnet110_c10 --n , -o p.svg",
        "plot compare $data/lenet5_cifar10.npz --methods , -o p.svg"}) {
    const auto ran = run(std::string("$tare ") + command);
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_TRUE(ran.err.starts_with("error: --")) << command << "\n" << ran.err;
  }
}

TEST_F(lists, may_be_given_in_parts_and_end_where_the_next_word_begins) {
  const auto ran = run(
      "$tare measure --estimators ece_ew,ece_em --estimators accuracy $data/lenet5_cifar10.npz --no-interval --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("estimates").size(), 5U);  // two errors in two norms, and one share
}

}  // namespace
