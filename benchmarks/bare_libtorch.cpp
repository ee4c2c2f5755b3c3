// Loads LibTorch and exits: what every program that links it costs before it does anything.
int main() { return 0; }
