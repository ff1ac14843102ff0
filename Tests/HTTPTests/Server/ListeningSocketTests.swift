import Glibc
import Testing

@testable import HTTP

struct ListeningSocketTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("128.0.0.1", false), ("10.0.0.127", false), ("0.0.0.0", false),
        ("::1", true), ("::ffff:127.0.0.1", true), ("::ffff:127.9.9.9", true), ("::ffff:10.0.0.127", false),
        ("::127.0.0.1", false), ("::", false), ("::2", false), ("fe80::1", false), ("1::ffff:127.0.0.1", false),
    ])
    func `only loopback is this machine, also as an IPv4 address in IPv6`(
        text: String, isOurs: Bool
    ) {
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        four.sin_family = sa_family_t(AF_INET)
        six.sin6_family = sa_family_t(AF_INET6)
        let isFour = inet_pton(AF_INET, text, &four.sin_addr) == 1
        #expect(isFour || inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        let found =
            isFour
            ? withUnsafePointer(to: &four) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, isLoopback) }
            : withUnsafePointer(to: &six) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, isLoopback) }
        #expect(found == isOurs)
    }
}
