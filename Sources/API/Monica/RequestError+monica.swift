import JSON

extension RequestError {
    /// The error in the form of Monica 4.1.2. Errors that its framework raises before Monica's own code runs have no
    /// code: a missing token, and an unsupported method.
    var asMonicaSaysIt: [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                guard status != 401 else { return json.member("message", "Unauthenticated.") }
                guard monicaCode > 0 else { return json.member("message", detail) }
                json.object("error") { json in
                    if mistakes.isEmpty {
                        json.member("message", sentence)
                    } else {
                        json.list("message", mistakes) { $0.value($1.inMonicasWords) }
                    }
                    json.member("error_code", monicaCode)
                }
            }
        }
    }

    /// Without a full stop, because programs may compare Monica's own sentences, which have none.
    private var sentence: String {
        if monicaCode == 34 { return "Too many attempts, please slow down the request" }
        return detail.hasSuffix(".") ? String(detail.dropLast()) : detail
    }
}

extension RequestError.Mistake {
    /// "The first name field is required."
    fileprivate var inMonicasWords: String {
        let name = field.replacing("_", with: " ")
        return switch detail {
        case "is missing": "The \(name) field is required."
        case "must be a text": "The \(name) must be a string."
        case "must be a whole number above 0": "The \(name) must be an integer."
        case "is neither true nor false": "The \(name) field must be true or false."
        case "means nothing that is there": "The selected \(name) is invalid."
        case _ where detail.hasPrefix("is longer than "):
            "The \(name) may not be greater than \(detail.dropFirst("is longer than ".count))."
        default: "The \(name) \(detail)."
        }
    }
}
