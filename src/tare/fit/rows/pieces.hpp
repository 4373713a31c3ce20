// Curves of straight pieces, for many scores in vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tare::detail::fit::rows {

struct Piece {
  double from, width;  // of the scores
  double low, high;    // the values where it begins and where it ends
};

// out[i]: of piece[place[i]] at score[i].
void on_pieces(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out);
void on_pieces(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out);

// Which of `parts` equal parts of the unit interval each score is in; 1 is in the last.
void find_parts(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part);
void find_parts(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part);

}  // namespace tare::detail::fit::rows
