/// A country's two letters as one number, in the form of the image.
package struct CountryKey: Hashable {
    package let value: UInt16

    package init(_ value: UInt16) { self.value = value }

    package init(_ code: some StringProtocol) {
        value = code.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    package var code: String {
        String(decoding: [UInt8(value >> 8), UInt8(value & 255)], as: UTF8.self)
    }
}
