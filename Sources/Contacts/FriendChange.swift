import Formats

/// How one friend becomes what the source says.
struct FriendChange {
    let id: Int
    let friend: Friend
    let isNew: Bool
    let isBack: Bool
    /// Whether the friend's own row is to be written.
    let isRenamed: Bool
    let addresses: AddressChanges

    /// A friend who was just inserted.
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

    /// Whether the friend is another than before.
    var isChange: Bool { isNew || isRenamed || addresses.areChanges }

    /// Whether anything is to be written; a missing hash is no change, and must be.
    var isNeeded: Bool { isChange || !addresses.rehashed.isEmpty }
}
