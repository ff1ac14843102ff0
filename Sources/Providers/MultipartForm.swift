/// Fields and a file in the format of a browser's form (RFC 7578).
struct MultipartForm {
    let type: String
    let body: [UInt8]

    /// The names are ours and need no escaping. The boundary is random, so that the content can't contain it.
    init(fields: [String: String], file: String, named fileName: String, type fileType: String, content: String) {
        let boundary = "waypost-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
        var text = ""
        for (name, value) in fields {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file)\"; filename=\"\(fileName)\"\r\n"
        text += "Content-Type: \(fileType)\r\n\r\n\(content)\r\n--\(boundary)--\r\n"
        type = "multipart/form-data; boundary=\(boundary)"
        body = Array(text.utf8)
    }
}
