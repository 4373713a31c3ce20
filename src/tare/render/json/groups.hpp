#pragma once

#include "tare/core/groups.hpp"
#include "tare/render/json/json_text.hpp"

namespace tare::inner::render {

Json to_json(const GroupReport& report);

}  // namespace tare::inner::render
