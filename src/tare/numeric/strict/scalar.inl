// What the functions ask of a number: a double here, a vector of doubles in fit/rows/lanes-inl.hpp.

inline double choose(bool condition, double yes, double no) { return condition ? yes : no; }
inline double of_bits(std::uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline std::uint64_t bits_of(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline std::uint64_t to_exponent(std::uint64_t bits) { return bits << 52; }
inline std::uint64_t from_exponent(std::uint64_t bits) { return bits >> 52; }
// sum + a b, where the product is exact: it does not matter whether it is rounded.
inline double plus_exact(double sum, double a, double b) { return sum + a * b; }
