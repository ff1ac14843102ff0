import Foundation
import Glibc
import Processes

/// A file system in memory for the database alone, which can be filled at once to the last page.
///
/// The mount is visible only to this process and its children, and ends with them.
struct SmallDisk: Sendable {
    let folder: String

    /// More bytes than a trial writes.
    private static let roomy = 8 << 30
    private static let namespaceWords = ["--mount", "--propagation", "private"]

    /// Nil if this process may not mount.
    init?(at folder: String) {
        mkdir(folder, 0o700)
        guard mount("waypost-chaos", folder, "tmpfs", 0, "mode=0700,size=\(Self.roomy)") == 0 else {
            rmdir(folder)
            return nil
        }
        self.folder = folder
    }

    /// Leaves this many free bytes. Files keep their content and may be overwritten.
    func fill(leaving room: Int) throws {
        // Other processes write at the same time.
        for _ in 1...1_000 {
            var state = statvfs()
            guard statvfs(folder, &state) == 0 else { break }
            let page = Int(state.f_frsize)
            let used = (Int(state.f_blocks) - Int(state.f_bfree)) * page
            if resize(to: used + room / page * page) { return }
        }
        throw ChaosError("can't fill \(folder): \(String(cString: strerror(errno)))")
    }

    /// Makes room again.
    func free() throws {
        guard resize(to: Self.roomy) else {
            throw ChaosError("can't free \(folder): \(String(cString: strerror(errno)))")
        }
    }

    func remove() {
        umount2(folder, Int32(MNT_DETACH))
        rmdir(folder)
    }

    private func resize(to bytes: Int) -> Bool {
        mount("waypost-chaos", folder, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0
    }

    /// Runs this program again in a mount namespace of its own, with `mark` before its arguments. Returns if that is
    /// not permitted.
    static func enterNamespace(mark: String) async {
        let test = try? await ChildProcess.output(of: "unshare", namespaceWords + ["true"])
        guard test?.exit.isSuccess == true else { return }
        let words =
            ["unshare"] + namespaceWords + ["--", CommandLine.arguments[0], mark] + CommandLine.arguments.dropFirst()
        var arguments = words.map { strdup($0) } + [nil]
        execvp("unshare", &arguments)
    }
}
