import Formats

/// The changes of one friend to match the source.
struct FriendChange {
    let id: Int
    let friend: Friend
    let isNew: Bool
    let isBack: Bool
    /// True if the friend's own row must be written.
    let isRenamed: Bool
    let addresses: AddressChanges

    /// For a friend that was just inserted.
    init(id: Int, to new: HashedFriend) {
        self.id = id
        friend = new.friend
        (isNew, isBack, isRenamed) = (true, false, false)
        addresses = AddressChanges(from: [], to: new.addresses)
    }

    init(from old: StoredFriend, to new: HashedFriend, feed: String) {
        id = old.id
        friend = new.friend
        isNew = false
        isBack = old.isDeleted
        isRenamed = !old.isExactly(new.friend, feed: feed)
        addresses = AddressChanges(from: old.addresses, to: new.addresses)
    }

    /// True if the friend changes.
    var isChange: Bool { isNew || isRenamed || addresses.areChanges }

    /// True if anything must be written. A missing hash must be written although it is not a change.
    var isNeeded: Bool { isChange || !addresses.rehashed.isEmpty }
}
