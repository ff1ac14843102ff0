/// A request that no handler answers: the status, and a sentence for the client.
struct HeadError: Error, Equatable {
    let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    static func malformed(_ sentence: String) -> Self { Self(400, sentence) }
}
