import Access

/// The opaque ids that Monica's objects have in addition to their numbers, made from values that never change.
struct MonicaID {
    private let digest: [UInt8]

    /// `made` is the time of creation: on another server the same number is another object.
    init(of kind: String, _ id: Int, account: Int, made: String) {
        digest = Digest.sha256("\(kind)\u{0}\(account)\u{0}\(id)\u{0}\(made)".utf8)
    }

    /// UUID version 8, whose content is free: https://www.rfc-editor.org/rfc/rfc9562#section-5.8
    var uuid: String {
        var bytes = Array(digest.prefix(16))
        bytes[6] = 0x80 | bytes[6] & 0x0F
        bytes[8] = 0x80 | bytes[8] & 0x3F
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `h:` and 18 letters and digits. Monica makes them from a secret of the server, so they have no meaning
    /// elsewhere.
    var hash: String {
        let signs = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        let text = digest.suffix(18).map { signs[Int($0) % signs.count] }
        return "h:" + String(decoding: text, as: UTF8.self)
    }
}
