import HTTP

extension FuzzTarget {
    /// The reader of forms with files: the parts that it finds, written again with another boundary, are the same parts.
    static let multipart = FuzzTarget(
        name: "multipart",
        seeds: [
            "--a\r\nContent-Disposition: form-data; name=\"data\"; filename=\"a%22\\\"b.csv\"\r\n\r\ncity\r\nEly\r\n\r\n--a--\r\n",
            "preamble\r\n--a \t\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name=b; filename*=utf-8''%C3%A9\r\n\r\n\r\n--a--",
            "--a\r\nContent-Disposition: form-data; name=\"columns\"\r\n\r\ncity\r\n--a\r\nContent-Transfer-Encoding: 8bit\r\n",
        ],
        run: { bytes in
            guard let form = try? MultipartBody(bytes, type: "multipart/form-data; boundary=a") else { return }
            // A head has a limit, and no escape stands for a percent sign.
            guard
                form.parts.flatMap({ [$0.name, $0.fileName ?? ""] }).allSatisfy({
                    $0.utf8.count < 2_000 && !$0.contains("%")
                })
            else { return }
            let boundary = "other-\(bytes.count)-boundary"
            var copy: [UInt8] = []
            for part in form.parts {
                precondition(bytes.indices.contains(part.content.startIndex) && part.content.endIndex <= bytes.count)
                copy += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\"".utf8
                copy += (part.fileName.map { "; filename=\"\(escaped($0))\"" } ?? "").utf8
                copy += Array("\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
            }
            copy += "--\(boundary)--".utf8
            guard let again = try? MultipartBody(copy, type: "multipart/form-data; boundary=\"\(boundary)\""),
                again.parts.elementsEqual(
                    form.parts, by: { $0.name == $1.name && $0.fileName == $1.fileName && $0.content == $1.content })
            else { preconditionFailure("a copy of the form has other parts") }
        })

    private static func escaped(_ name: String) -> String {
        let escapes = [UInt8(ascii: "\\"): "\\\\", UInt8(ascii: "\""): "%22", 13: "%0D", 10: "%0A"]
        return String(decoding: name.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }, as: UTF8.self)
    }
}
