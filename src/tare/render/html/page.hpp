// A report as one HTML file that needs nothing else: no network, no framework. Pictures are inline SVG, switches are
// form controls that style sheets obey, and the few lines of script only add comfort.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/report.hpp"

namespace tare::detail::render {

std::string page(const Report& report);

extern const std::string_view page_style;  // page.css
// All that a page is styled by: page.css, for a screen by day and by night and for paper, and the colours of pictures
// by night. Pictures carry those of day as attributes, so that they are whole by themselves; here they are replaced one
// by one.
std::string whole_style();

// page.js. Without it everything can still be read: pictures have tables, tips are titles, and code can be selected by
// hand.
extern const std::string_view page_script;

inline constexpr std::string_view page_patterns =
    "page";  // begins the names of the hatchings that small pictures share

// The first screen: the reliability diagram with its switches.
std::string reliability_panels(const Report& report);

std::string rows_section(const Report& report);
std::string estimators_section(const Report& report);
std::string scores_section(const Report& report);
std::string detection_section(const Report& report);
std::string classes_section(const Report& report);
std::string groups_section(const Report& report);
std::string calibrators_section(const Report& report);
std::string method_section(const Report& report);
std::string citation_section(const Report& report);

// What several sections say the same way.
std::string judgement_mark(Judgement judgement);     // HTML: a sign and a word, never colour alone
std::string bins_csv(const std::vector<Bin>& bins);  // of a small picture, in percent
std::string curve_csv(const CurveBand& curve);       // of a curve, in percent

}  // namespace tare::detail::render
