#pragma once
/// The commit of this build and its date, or an empty text. deploy/stamp writes them into a finished program, so that a
/// new commit compiles nothing again.
const char *build_commit(void);
