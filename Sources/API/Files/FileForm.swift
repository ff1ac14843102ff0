import HTTP
import Shapes

/// A file that a browser's form contains, and the other fields of the form.
struct FileForm: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The fields with a value, in their order.
    let fields: [(name: String, value: String)]

    /// The fields and the heads of the parts need little room next to the file.
    private static let mostOverhead = 1 << 20

    init(_ request: ServerRequest, _ body: RequestBody) async throws {
        let body = try await body.collect(upTo: SentFile.mostBytes + Self.mostOverhead)
        let form: MultipartBody
        do throws(MultipartError) {
            form = try MultipartBody(body, type: request.headers["Content-Type"] ?? "")
        } catch {
            throw RequestError.malformed("The body can't be read as a form: \(error.reason).")
        }
        // A browser sends an empty part for a file that was not chosen.
        let chosen = form.parts.filter { $0.fileName.map { !$0.isEmpty } ?? false }
        let files = chosen.isEmpty ? form.parts.filter { $0.name == "data" || $0.fileName != nil } : chosen
        guard files.count == 1, let file = files.first else {
            throw RequestError.malformed("The form must contain one file, as with curl -F data=@list.csv.")
        }
        guard file.content.count <= SentFile.mostBytes else { throw RequestError.tooLong(limit: SentFile.mostBytes) }
        (name, bytes) = (file.fileName ?? "", Array(file.content))
        fields = try form.parts.filter { $0.fileName == nil && $0.name != file.name && !$0.content.isEmpty }.map {
            part in
            guard let value = String(validating: part.content, as: UTF8.self) else {
                throw RequestError.malformed("A field of the form is not UTF-8.")
            }
            return (part.name, value)
        }
    }
}

/// The settings of a file: parameters, or fields of the form that has the file.
struct SentSettings<Query: QueryInput>: RequestInput {
    static func read(_ request: APIRequest) async throws -> Self { Self() }
    static var query: [Field] { Query.query }
    static var body: Body? { nil }

    /// Returns the request with the file as its body, and the settings.
    func opened(_ request: APIRequest) async throws -> (APIRequest, Query) {
        var request = request
        if request.http.hasContentType("multipart/form-data") {
            let form = try await FileForm(request.http, request.body)
            request.body = RequestBody(form.bytes)
            request.http.query += form.fields
            if request.http.query("name") == nil, !form.name.isEmpty { request.http.query.append(("name", form.name)) }
        }
        return (request, try await Query.read(request))
    }
}
