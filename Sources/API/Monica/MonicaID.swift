import Access
import HTTP
import Processes

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
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Array(bytes[$0]).hexadecimal }.joined(separator: "-")
    }

    /// `h:` and 18 letters and digits. Monica makes them from a secret of the server, so they have no meaning
    /// elsewhere.
    var hash: String {
        let signs = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        let text = digest.suffix(18).map { signs[Int($0) % signs.count] }
        return "h:" + String(decoding: text, as: UTF8.self)
    }
}
