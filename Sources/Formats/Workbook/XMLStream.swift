import CExpat
import Glibc

/// Gets the parts of an XML document. A range is that of a tag, in bytes from the start of the document.
package protocol XMLHandler: AnyObject {
    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) throws
    func end(_ name: XMLName, at range: Range<Int>) throws
    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws
}

/// Parses XML, piece by piece, in memory that does not grow with the document.
///
/// It refuses entities of the document's own, which can make a small document huge. A document type without entities is
/// ignored.
package final class XMLStream {
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private var failure: (any Error)?
    private var size = 0

    /// Expat stores an incomplete tag in memory.
    private static let longestTag = 1 << 20

    package struct Malformed: Error {
        package var problem = "it is not XML"
    }

    /// `encoding` is one that expat has, whatever the document declares.
    package init(_ handler: any XMLHandler, encoding: String = "UTF-8") {
        self.handler = handler
        guard let parser = XML_ParserCreate(encoding) else { fatalError("expat has no memory") }
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
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, declares in
            guard declares != 0 else { return }
            XMLStream.of(context).run { _, _ in
                throw Malformed(problem: "the XML declares entities of its own, which are not read")
            }
        }
    }

    deinit {
        XML_ParserFree(parser)
    }

    /// The line of the present tag, or of the error.
    package var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    /// Parses the next piece. Throws the error of the handler, or ``Malformed``.
    package func parse(_ bytes: [UInt8], isLast: Bool = false) throws {
        size += bytes.count
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), isLast ? 1 : 0)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else { throw Malformed(problem: problem) }
        let position = Int(XML_GetCurrentByteIndex(parser))
        guard isLast || size - position <= Self.longestTag else { throw Malformed(problem: "a tag is too long") }
    }

    private var problem: String {
        switch XML_GetErrorCode(parser) {
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION, XML_ERROR_PARTIAL_CHAR:
            "the XML ends in the middle"
        case let code: "it is not XML: \(XML_ErrorString(code).map { String(cString: $0) } ?? "")"
        }
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
package struct XMLName {
    let bytes: UnsafePointer<CChar>

    package static func == (name: Self, text: StaticString) -> Bool {
        strcmp(name.bytes, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// The name without its prefix.
    package var local: XMLName { strchr(bytes, 0x3A).map { XMLName(bytes: UnsafePointer($0) + 1) } ?? self }

    package var text: String { String(cString: bytes) }
}

/// Names and values in turn.
package struct XMLAttributes {
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

    package func text(_ name: StaticString) -> String? { self[name].map { String(cString: $0) } }

    /// A whole number that is not negative; nil if there is none.
    func number(_ name: StaticString) -> Int? { text(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }
}
