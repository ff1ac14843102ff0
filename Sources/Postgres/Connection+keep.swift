extension Connection {
    /// Sets a setting of this session, unless it has this value already.
    ///
    /// Not inside a transaction, for one that is rolled back takes its settings along.
    package func keep(_ setting: StaticString, at value: String) throws {
        let setting = "\(setting)"
        guard kept[setting] != value else { return }
        guard isOutsideTransaction else {
            throw DatabaseError(message: "\(setting) is set inside a transaction, which may take it back")
        }
        // If the task is cancelled here, the value is unknown.
        kept[setting] = nil
        try query("SELECT set_config(\(setting), \(value), false)")
        kept[setting] = value
    }
}
