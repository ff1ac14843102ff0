import Testing

@testable import HTTP

struct MultipartTests {
    private static let type = "multipart/form-data; boundary=a"

    private func parts(_ body: String, type: String = type) throws -> [String] {
        try MultipartBody(Array(body.utf8), type: type).parts.map { part in
            "\(part.name)|\(part.fileName ?? "-")|\(String(decoding: part.content, as: UTF8.self))"
        }
    }

    private func one(_ disposition: String, more: String = "") throws -> String {
        try parts("--a\r\nContent-Disposition: \(disposition)\r\n\(more)\r\nx\r\n--a--").joined()
    }

    @Test func `fields and files of a form are found, whatever is around them`() throws {
        let body =
            "preamble --a\r\n--a \t\r\nContent-Type: text/csv\r\ncontent-disposition: form-data; name=\"data\"; filename=\"l.csv\"\r\n\r\n"
            + "city\r\n--\r\n-a\r\n\r\n--a\r\nContent-Disposition: form-data; name=b\r\n\r\n\r\n--a--\r\nepilogue"
        #expect(try parts(body) == ["data|l.csv|city\r\n--\r\n-a\r\n", "b|-|"])
        #expect(try parts("--a--") == [])
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=\"a\"", true), ("Multipart/Form-Data;charset=utf-8;Boundary=a", true),
        ("multipart/form-data; boundary=a;", true), ("multipart/form-data", false),
        ("multipart/form-data; boundary=", false), ("multipart/form-data; boundary=\"\"", false),
        ("multipart/form-data; boundary=\"a", false), ("multipart/form-data; boundary=a; boundary=b", false),
        ("multipart/form-data; boundary=\"a \"", false), ("multipart/form-data; boundary=a b", false),
        ("multipart/form-data; boundary=\"\(String(repeating: "a", count: 71))\"", false),
        ("multipart/form-data; boundary=\"\u{e9}\"", false),
    ])
    func `a boundary may be in quotes, and a bad one is refused`(type: String, isValid: Bool) {
        let form = try? MultipartBody(Array("--a--".utf8), type: type)
        #expect((form != nil) == isValid)
    }

    @Test(arguments: [
        ("form-data; name=\"n\"; filename=\"J\u{f6}rg's \\\"x\\\".csv\"", "n|J\u{f6}rg's \"x\".csv|x"),
        ("form-data; name=\"a%22b%0D%0Ac%20\"", "a\"b\r\nc%20|-|x"),
        ("form-data;name=n;filename=C:\\l.csv", "n|C:\\l.csv|x"),
        ("form-data; name=n; filename=\"C:\\a;b\\l.csv\"", "n|C:\\a;b\\l.csv|x"),
        ("form-data; name=n; filename=\"x\"; filename*=UTF-8''J%C3%B6rg.csv", "n|J\u{f6}rg.csv|x"),
        ("form-data; filename*=iso-8859-1''J%F6rg; filename=f; name=n", "n|f|x"),
        ("FORM-DATA ; NAME=n ; other=1", "n|-|x"),
        ("form-data; name=n; filename=\"\"", "n||x"),
    ])
    func `names are read as browsers and programs write them`(disposition: String, expected: String) throws {
        #expect(try one(disposition) == expected)
    }

    @Test(arguments: [
        "form-data", "form-data; name=", "form-data; name=\"\"", "form-data; name=\"n", "form-data; name=\"n\"x",
        "form-data; name=n; name=m", "attachment; name=n", "form-data; name=n; filename*=UTF-8''%FF",
        "form-data; name=n; filename*=UTF-8''%4", "form-data, name=n", "form-data; =n",
        "form-data; name=n; filename=\"%00\u{0}\"",
    ])
    func `a part without a valid name is refused`(disposition: String) {
        #expect(throws: MultipartError.self) { try one(disposition) }
    }

    @Test func `a damaged form is refused, and one that was cut off anywhere`() throws {
        let head = "Content-Disposition: form-data; name=n\r\n"
        for body in [
            "", "--b--", "x--a--", "\n--a--", "--a\n\(head)\r\nx\r\n--a--", "--a\r\n\r\nx\r\n--a--",
            "--a\r\n\(head)x\r\n--a--",
            "--a\r\n\(head)\r\nx\r\n--ab--", "--a\r\n\(head)\r\nx\n--a--", "--a\r\n\(head)\(head)\r\nx\r\n--a--",
            "--a\r\n\(head) folded: x\r\n\r\nx\r\n--a--",
            "--a\r\n\(head)Content-Transfer-Encoding: base64\r\n\r\nx\r\n--a--",
            "--a\r\n\(head)x: y\n\r\n\r\nx\r\n--a--", "--a\r\n\(head)\r\n--a--",
            "--a\r\n\(head)x: \(String(repeating: "y", count: 8_200))\r\n\r\nx\r\n--a--",
        ] { #expect(throws: MultipartError.self, "\(body.prefix(60))") { try parts(body) } }
        let whole = "--a\r\n\(head)\r\nx\r\n--a--"
        for count in 0..<whole.utf8.count {
            #expect(throws: MultipartError.self) { try MultipartBody(Array(whole.utf8.prefix(count)), type: Self.type) }
        }
        let bytes =
            Array("--a\r\nContent-Disposition: form-data; name=\"".utf8) + [0xFF] + Array("\"\r\n\r\nx\r\n--a--".utf8)
        #expect(throws: MultipartError.self) { try MultipartBody(bytes, type: Self.type) }
    }

    @Test func `a form has at most 256 parts`() throws {
        let part = "--a\r\nContent-Disposition: form-data; name=n\r\n\r\nx\r\n"
        #expect(try parts(String(repeating: part, count: 256) + "--a--").count == 256)
        #expect(throws: MultipartError.self) { try parts(String(repeating: part, count: 257) + "--a--") }
    }
}
