// A program outside Cairn: finds a path around a wall by HPA*.

#include "path_cost.hpp"

int main() { return path_cost() == kExpected ? 0 : 1; }
