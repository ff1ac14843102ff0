import HTTP
import JSON
import Queue
import Sentences

extension APIServer {
    /// `GET /v1/doctor`: problems that slow or stop the cluster.
    func doctor(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let findings = try await backend.examine()
        return .json { json in
            json.object { json in
                json.list("data", findings) { json, finding in
                    json.object { json in
                        json.member("check", finding.check)
                        json.member("verdict", finding.verdict.rawValue)
                        json.member("text", finding.text)
                        json.member("remedy", finding.remedy)
                    }
                }
            }
        }
    }
}
