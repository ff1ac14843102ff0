extension [PendingLocation] {
    /// Returns the locations with `old`, a part of them, replaced by `made`, which consist of the same fixes.
    ///
    /// Unchanged locations stay uploaded. A location that no longer exists stays until the backend has deleted it.
    func replacing(_ old: ArraySlice<PendingLocation>, by made: [PendingLocation]) -> [PendingLocation] {
        var kept = self
        var gone: [PendingLocation] = []
        for location in old {
            kept.removeAll { !$0.removed && $0.start.isSame(as: location.start) }
            guard !made.contains(where: { $0.start.isSame(as: location.start) }) else { continue }
            var location = location
            (location.removed, location.uploaded, location.fixes) = (true, false, [location.start])
            gone.append(location)
        }
        var made = made
        for index in made.indices {
            let before = first { $0.start.isSame(as: made[index].start) }
            if let before { made[index].uploaded = before.uploaded && before.says(theSameAs: made[index]) }
            kept.removeAll { $0.removed && $0.start.isSame(as: made[index].start) }
        }
        return (kept + made + gone).sorted { $0.start.comesBefore($1.start) }
    }

    /// Notes that the backend has stored or deleted `location`. If the location changed during the upload, nothing
    /// happens: it is due again.
    public mutating func confirm(_ location: PendingLocation) {
        guard let index = firstIndex(where: { $0.start.isSame(as: location.start) }),
            self[index].says(theSameAs: location)
        else { return }
        if self[index].removed { remove(at: index) } else { self[index].uploaded = true }
    }

    /// The locations that the backend does not have yet.
    public var due: [PendingLocation] { filter { !$0.uploaded } }

    /// Deletes uploaded locations that ended before a moment, in seconds since 1970. The last location stays, because
    /// the next fix may be there too.
    public mutating func forgetUploaded(before moment: Double) {
        guard let last = last(where: { !$0.removed }) else { return }
        removeAll { $0.uploaded && $0.timestamp + $0.waitTime < moment && !$0.start.isSame(as: last.start) }
    }
}
