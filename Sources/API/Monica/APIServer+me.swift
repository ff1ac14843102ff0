import Access
import HTTP
import JSON

extension APIServer {
    /// `GET /monica/api/me`: Monica has users in accounts, we have only accounts. Members that we don't have are empty.
    func me(_ request: APIRequest) async throws -> ServerResponse {
        let caller = request.caller
        return .json { json in
            json.object { json in
                json.object("data") { json in
                    json.member("id", caller.account)
                    json.member("uuid", MonicaID(of: "user", caller.account, account: caller.account, made: "").uuid)
                    json.member("object", "user")
                    json.member("first_name", caller.accountName)
                    json.member("last_name", "")
                    json.member("name", caller.accountName)
                    json.member("email", "")
                    json.null("me_contact")
                    json.member("timezone", "UTC")
                    json.null("currency")
                    json.member("locale", "en")
                    json.member("is_policy_compliant", true)
                    json.object("account") { $0.member("id", caller.account) }
                    json.null("created_at")
                    json.null("updated_at")
                }
            }
        }
    }
}
