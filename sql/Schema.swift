enum Schema {}
