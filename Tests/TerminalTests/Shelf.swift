@testable import Terminal

/// A small program for books, with one example of everything that a declaration supports.
let shelf = CommandTree(
    "shelf", summary: "Keep track of the books you own and lend.", version: "1.2.0",
    [
        .command(AddCommand.self),
        .command(ListCommand.self),
        .command(InspectCommand.self),
        .group("loans", "See and end the loans.", [.command(RemindCommand.self), .command(ReturnCommand.self)]),
    ])
