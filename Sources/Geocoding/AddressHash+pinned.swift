extension AddressHash {
    /// The hash of an account's address whose answer is a pin.
    ///
    /// It contains the account, so that another account with the same address never finds the pin. Stored: the recipe
    /// of a version never changes.
    package func pinned(in account: Int) -> AddressHash {
        AddressHash(digestOf: Array("pin1\u{1F}\(account)\u{1F}".utf8) + bytes)
    }

    /// The hash of an address that is asked along one chain only, apart from all other questions.
    package func apart(alongChain chain: Int) -> AddressHash {
        AddressHash(digestOf: Array("apart1\u{1F}\(chain)\u{1F}".utf8) + bytes)
    }
}
