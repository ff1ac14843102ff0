extension Connection {
    /// Sets a setting of this session, unless it has this value already. It goes out with the next statement, which does not run
    /// unless it is set.
    ///
    /// Not inside a transaction, for one that is rolled back takes its settings along.
    package func keep(_ setting: StaticString, at value: String) throws {
        let setting = "\(setting)"
        guard kept[setting] != value else { return }
        guard isOutsideTransaction, !ahead.begins else {
            throw DatabaseError(message: "\(setting) is set inside a transaction, which may take it back")
        }
        ahead.settings[setting] = value
        kept[setting] = value
    }
}
