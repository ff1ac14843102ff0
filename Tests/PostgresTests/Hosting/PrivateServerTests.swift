import Glibc
import Postgres
import Testing

struct PrivateServerTests {
    @Test func `a temporary server leaves no process, folder or socket behind`() async throws {
        let folder = "/tmp/waypost-hosting-\(getpid())"
        let server = try await PrivateServer.start(in: folder, .temporary)
        let database = Database(url: server.url, options: .init(size: 1))
        let (pid, socket) = try await database.run { db throws in
            let row = try db.query(
                "SELECT pg_backend_pid() AS pid, current_setting('unix_socket_directories') AS folder")[0]
            return (try row.read("pid", as: Int32.self), try row.read("folder", as: String.self))
        }
        #expect(access(folder, F_OK) == 0)
        await server.stop()
        #expect(kill(pid, 0) == -1)
        #expect(access(folder, F_OK) == -1)
        #expect(access(socket, F_OK) == -1)
        await database.close()
    }

    @Test func `a lasting server keeps its data over a restart`() async throws {
        let folder = "/tmp/waypost-lasting-\(getpid())"
        for round in 1...2 {
            let server = try await PrivateServer.start(in: folder)
            let database = Database(url: server.url, options: .init(size: 1))
            try await database.run { db throws in
                if round == 1 { try db.run(script: "CREATE TABLE kept (id integer); INSERT INTO kept VALUES (7)") }
                let kept: Int = try db.query("SELECT id FROM kept")[0].read("id")
                #expect(kept == 7)
            }
            await database.close()
            await server.stop()
        }
        system("rm -rf \(folder)")
    }

    @Test func `remains of a killed set-up are removed and block nothing`() async throws {
        let folder = "/tmp/waypost-cut-\(getpid())"
        // The folder as initdb leaves it when killed in the middle.
        system("mkdir -p \(folder)/data-1 && echo 15 > \(folder)/data-1/PG_VERSION && chmod -R 777 \(folder)")
        let server = try await PrivateServer.start(in: folder)
        #expect(access("\(folder)/data/PG_VERSION", F_OK) == 0)
        #expect(access("\(folder)/data-1", F_OK) == -1)
        await server.stop()
        system("rm -rf \(folder)")
    }

    @Test(.timeLimit(.minutes(10))) func `a server can be stopped while it starts`() async throws {
        let folder = "/tmp/waypost-early-\(getpid())"
        let server = try await PrivateServer.start(in: folder)
        // Each restart returns as soon as the new server is launched, and stops it at once.
        for _ in 1...5 { try await server.restart() }
        await server.stop()
        system("rm -rf \(folder)")
    }

    @Test(.timeLimit(.minutes(10))) func `a restart does not count as the end, and a later end does`() async throws {
        let folder = "/tmp/waypost-again-\(getpid())"
        let server = try await PrivateServer.start(in: folder)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        let watch = Task {
            _ = await server.waitForEnd()
            end.yield(2)
        }
        try await server.restart()
        let database = Database(url: server.url, options: .init(size: 1))
        try await database.run { try $0.query("SELECT 1") }
        end.yield(1)
        await database.close()
        await server.stop()
        await watch.value
        var order: [Int32] = []
        for await event in ends {
            order.append(event)
            if order.count == 2 { break }
        }
        #expect(order == [1, 2])
        system("rm -rf \(folder)")
    }

    @Test func `another program at the same path is detected`() throws {
        let path = "/tmp/waypost-program-\(getpid())"
        system("echo 1 > \(path)")
        let first = try #require(ProgramFile(path))
        #expect(ProgramFile(path) == first)
        // Replaces the program as a package manager does: a new file gets the name.
        system("echo 2 > \(path).new && mv \(path).new \(path)")
        #expect(ProgramFile(path) != first)
        system("rm \(path)")
        #expect(ProgramFile(path) == nil)
    }

    @Test func `the server never runs as root`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-owner-\(getpid())", .temporary)
        let database = Database(url: server.url, options: .init(size: 1))
        let pid = try await database.run {
            try $0.query("SELECT pg_backend_pid() AS pid")[0].read("pid", as: Int32.self)
        }
        var status = stat()
        #expect(stat("/proc/\(pid)", &status) == 0)
        #expect(status.st_uid != 0)
        await database.close()
        await server.stop()
    }
}
