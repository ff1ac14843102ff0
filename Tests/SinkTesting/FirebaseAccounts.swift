import JSON

/// The tokens of users.
struct FirebaseAccounts {
    static let lifetime = 3_600.0

    private var idTokens: [String: String] = [:]
    private(set) var givenOut: [String: String] = [:]
    private var refreshTokens: [String: String] = [:]
    private var count = 0
    private(set) var refreshes = 0
    /// Users whose tokens are not renewed, with the reason.
    var refusals: [String: String] = [:]

    struct Refusal: Error {
        let message: String
    }

    mutating func giveOut(to user: String) -> (idToken: String, refreshToken: String) {
        count += 1
        let tokens = (idToken: "id-secret-\(count)", refreshToken: "refresh/secret+\(count)=")
        idTokens[tokens.idToken] = user
        givenOut[tokens.idToken] = user
        refreshTokens[tokens.refreshToken] = user
        return tokens
    }

    mutating func endTokens() { idTokens = [:] }

    func user(of authorization: String?) -> String? {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return nil }
        return idTokens[String(authorization.dropFirst(7))]
    }

    mutating func renew(_ refreshToken: String) -> Result<String, Refusal> {
        guard !refreshToken.isEmpty else { return .failure(Refusal(message: "MISSING_REFRESH_TOKEN")) }
        guard let user = refreshTokens[refreshToken] else { return .failure(Refusal(message: "INVALID_REFRESH_TOKEN")) }
        if let reason = refusals[user] { return .failure(Refusal(message: reason)) }
        refreshes += 1
        let tokens = giveOut(to: user)
        return .success(
            JSONWriter.text { json in
                json.object { json in
                    json.member("access_token", tokens.idToken)
                    json.member("expires_in", "\(Int(Self.lifetime))")
                    json.member("token_type", "Bearer")
                    json.member("refresh_token", tokens.refreshToken)
                    json.member("id_token", tokens.idToken)
                    json.member("user_id", user)
                    json.member("project_id", "123456789012")
                }
            })
    }
}
