extern const unsigned char waypost_seed[];
