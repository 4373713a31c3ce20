#include "tare/cli/run.hpp"

int main(int argc, char** argv) { return tare::detail::cli::run(argc, argv); }
