extension Connection {
    /// Changes a setting of this session, unless it has this value already. The change is sent with the next statement,
    /// and that statement runs only if the change succeeded.
    ///
    /// Not allowed inside a transaction: a rollback would undo the setting too.
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
