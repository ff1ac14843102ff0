@testable import Terminal

/// A small program that keeps books, with one of everything a declaration can say.
let shelf = CommandTree(
    "shelf", summary: "Keep track of the books you own and lend.", version: "1.2.0",
    [
        .command(AddCommand.self),
        .command(ListCommand.self),
        .command(InspectCommand.self),
        .group("loans", "See and end the loans.", [.command(RemindCommand.self), .command(ReturnCommand.self)]),
    ])
