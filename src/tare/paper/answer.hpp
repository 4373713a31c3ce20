// What `tare paper` answers a program: one JSON object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tare/paper/exhibit.hpp"
#include "tare/paper/item.hpp"

namespace tare::inner::paper {

std::string json(const std::vector<Item>& items);  // what there is

struct Answered {
  std::uint64_t seed = 1;
  bool quick = false;
  std::string index = {};  // the page
};
std::string json(const std::vector<Exhibit>& exhibits, const Answered& how);  // every claim

}  // namespace tare::inner::paper
