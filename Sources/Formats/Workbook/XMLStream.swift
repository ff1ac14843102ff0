import CExpat
import Glibc

/// Gets the parts of an XML document. A range is that of a tag, in bytes from the start of the document.
protocol XMLHandler: AnyObject {
    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) throws
    func end(_ name: XMLName, at range: Range<Int>) throws
    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws
}

/// Parses XML in UTF-8, piece by piece. A document type is refused, and with it all entities of the document's own.
final class XMLStream {
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private var failure: (any Error)?
    private var size = 0

    /// Expat stores an incomplete tag in memory.
    private static let longestTag = 1 << 20

    struct Malformed: Error {}

    init(_ handler: any XMLHandler) {
        self.handler = handler
        guard let parser = XML_ParserCreate("UTF-8") else { fatalError("expat has no memory") }
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let name, let attributes else { return }
                XMLStream.of(context).run {
                    try $0.start(XMLName(bytes: name), XMLAttributes(list: attributes), at: $1)
                }
            },
            { context, name in
                guard let name else { return }
                XMLStream.of(context).run { try $0.end(XMLName(bytes: name), at: $1) }
            })
        XML_SetCharacterDataHandler(parser) { context, bytes, count in
            XMLStream.of(context).run { handler, _ in
                try bytes?.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    try handler.text(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
            }
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            XMLStream.of(context).run { _, _ in throw Malformed() }
        }
    }

    deinit {
        XML_ParserFree(parser)
    }

    /// Parses the next piece. Throws the error of the handler, or ``Malformed``.
    func parse(_ bytes: [UInt8], isLast: Bool = false) throws {
        size += bytes.count
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), isLast ? 1 : 0)
        }
        if let failure { throw failure }
        let position = Int(XML_GetCurrentByteIndex(parser))
        guard status == XML_STATUS_OK, isLast || size - position <= Self.longestTag else { throw Malformed() }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLStream {
        guard let context else { preconditionFailure("expat lost the context") }
        return Unmanaged<XMLStream>.fromOpaque(context).takeUnretainedValue()
    }

    private func run(_ body: (any XMLHandler, Range<Int>) throws -> Void) {
        guard failure == nil else { return }
        let start = Int(XML_GetCurrentByteIndex(parser))
        do {
            try body(handler, start..<(start + Int(XML_GetCurrentByteCount(parser))))
        } catch {
            failure = error
            XML_StopParser(parser, 0)
        }
    }
}

/// A name as the document writes it, with its prefix.
struct XMLName {
    let bytes: UnsafePointer<CChar>

    static func == (name: Self, text: StaticString) -> Bool {
        strcmp(name.bytes, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// The name without its prefix.
    var local: XMLName { strchr(bytes, 0x3A).map { XMLName(bytes: UnsafePointer($0) + 1) } ?? self }
}

/// Names and values in turn.
struct XMLAttributes {
    let list: UnsafeMutablePointer<UnsafePointer<CChar>?>

    subscript(name: StaticString) -> UnsafePointer<CChar>? {
        var position = 0
        while let word = list[position] {
            if XMLName(bytes: word) == name { return list[position + 1] }
            position += 2
        }
        return nil
    }

    /// The value of the attribute with this name behind a prefix.
    func text(local name: StaticString) -> String? {
        var position = 0
        while let word = list[position] {
            if XMLName(bytes: word).local == name, XMLName(bytes: word).local.bytes != word {
                return list[position + 1].map { String(cString: $0) }
            }
            position += 2
        }
        return nil
    }

    func text(_ name: StaticString) -> String? { self[name].map { String(cString: $0) } }

    /// A whole number that is not negative; nil if there is none.
    func number(_ name: StaticString) -> Int? { text(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }
}
