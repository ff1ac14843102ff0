import FoundationEssentials
import JSON

extension GenericProvider.Description {
    /// Reads a description, or throws all its mistakes at once.
    package init(json: [UInt8], key: String?) throws(DescriptionError) {
        guard let members = (try? JSONValue(parsing: json))?.object else {
            throw DescriptionError(mistakes: ["it is not a JSON object"])
        }
        var reader = DescriptionReader(members)
        let name = reader.required("name", takes: "lower case letters, digits and -, the name of its lane") {
            $0.text.flatMap { $0.wholeMatch(of: /[a-z][a-z0-9-]*/) == nil ? nil : $0 }
        }
        let search = reader.template("search", isRequired: true, of: URLTemplate.searchNames)
        let structuredSearch = reader.template("structuredSearch", isRequired: false, of: URLTemplate.searchNames)
        let reverse = reader.template("reverse", isRequired: false, of: URLTemplate.reverseNames)
        let headers = reader.headers()
        let latitude = reader.required("latitude", takes: pathExample, parse: JSONPath.init(json:))
        let longitude = reader.required("longitude", takes: pathExample, parse: JSONPath.init(json:))
        let box = reader.optional("box", takes: pathExample, parse: JSONPath.init(json:))
        let fields = reader.object("placemark", takes: "an object of paths") { $0.fields() } ?? [:]
        let precision = reader.precision()
        let score = reader.score()
        let notFound = reader.conditions()
        let outcome = reader.outcome()
        let statuses = reader.statuses()
        let quotaReset = reader.optional("quotaReset", takes: "the name of a header", parse: \.text)
        let forms = reader.forms(of: search, structured: structuredSearch)
        let terms = reader.terms(forms: forms, canReverse: reverse != nil)
        reader.refuseUnknown()

        if let latitude {
            let paths =
                [longitude, box, score?.path].compactMap { $0 } + fields.values.joined()
                + (precision?.steps.flatMap(\.paths) ?? [])
            if paths.contains(where: { $0.list != nil && $0.list != latitude.list }) {
                reader.mistake("latitude names another list of candidates than other paths do; it takes one for all")
            }
        }
        let texts = headers.values.flatMap(URLTemplate.names(in:))
        let names = texts + [search, structuredSearch, reverse].flatMap { $0?.names ?? [] }
        if key == nil, names.contains("key") { reader.mistake("{key} is used, but no key is set; it takes one") }

        guard reader.mistakes.isEmpty, let name, let search, let latitude, let longitude, let precision else {
            throw DescriptionError(mistakes: reader.mistakes)
        }
        self.init(
            name: name, terms: terms, key: key, search: search, structuredSearch: structuredSearch, reverse: reverse,
            headers: headers, latitude: latitude, longitude: longitude, box: box, fields: fields, precision: precision,
            score: score, notFound: notFound, outcome: outcome, statuses: statuses, quotaReset: quotaReset)
    }
}
