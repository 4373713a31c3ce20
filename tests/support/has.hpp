// A text has, or lacks, a part.
#pragma once

#include <gtest/gtest.h>

#define EXPECT_HAS(text, what) EXPECT_NE((text).find(what), std::string::npos) << "no '" << (what) << "' in\n" << (text)
#define EXPECT_LACKS(text, what) EXPECT_EQ((text).find(what), std::string::npos) << "'" << (what) << "' in\n" << (text)
