// For Apple's platforms only. Our own checks run on Linux, which does not compile this file: keep it simple.

#if canImport(Darwin)
    public import Foundation

    extension ClusterProvider {
        /// Calls the cluster through a session of the app.
        public init(server: String, token: String, patience: Duration = .seconds(30), session: URLSession = .shared) {
            self.init(server: server, token: token, patience: patience) { request in
                guard let url = URL(string: request.url) else { throw URLError(.badURL) }
                var sent = URLRequest(url: url)
                sent.httpMethod = request.method
                sent.allHTTPHeaderFields = request.headers
                sent.httpBody = request.body.map { Data($0) }
                let (data, response) = try await session.data(for: sent)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                var headers: [String: String] = [:]
                for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
                return ClusterReply(status: response.statusCode, headers: headers, body: Array(data))
            }
        }
    }
#endif
