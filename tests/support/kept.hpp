// Whole texts that a user is shown: what a call says is compared with what tests/support/kept_texts.txt keeps for the
// test that runs, one text after another. A change of wording is a change of that file alone:
// `TARE_KEEP_TEXTS=1 build/dev/tests/read_tests` writes the texts of the tests that it runs, and git shows them.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace tare::detail::testing {

// Empty, or how `text` differs. Folders of a test are $folder in it, the repository is $source.
std::string differs_from_kept(std::string text);

}  // namespace tare::detail::testing

#define EXPECT_KEPT(text) EXPECT_EQ(::tare::detail::testing::differs_from_kept(text), "")
