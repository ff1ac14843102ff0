extension Connection {
    /// Sees to it that a setting of this session has this value. It costs nothing where it has it already.
    ///
    /// Not inside a transaction, for one that is rolled back takes its settings along.
    package func keep(_ setting: StaticString, at value: String) throws {
        let setting = "\(setting)"
        guard kept[setting] != value else { return }
        guard isOutsideTransaction else {
            throw DatabaseError(message: "\(setting) is set inside a transaction, which may take it back")
        }
        // A task that is cut off here must not leave an uncertain state behind.
        kept[setting] = nil
        try query("SELECT set_config(\(setting), \(value), false)")
        kept[setting] = value
    }
}
