extension AddressHash {
    /// What an account's address hashes to while a contact's own position stands in for an answer.
    ///
    /// The account is hashed along, so another account with the same address never meets it. Stored: the recipe of a
    /// version never changes.
    package func pinned(in account: Int) -> AddressHash {
        AddressHash(digestOf: Array("pin1\u{1F}\(account)\u{1F}".utf8) + bytes)
    }
}
