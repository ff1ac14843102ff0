import Foundation
import Glibc
import Operations

/// A file system of the database's own, in memory, that can be filled to the last page at once.
///
/// It is mounted where only this process and its children see it, and is gone when they are.
struct SmallDisk: Sendable {
    let folder: String

    /// More than a trial writes.
    private static let roomy = 8 << 30
    private static let namespaceWords = ["--mount", "--propagation", "private"]

    /// Nil where this process may mount nothing.
    init?(at folder: String) {
        mkdir(folder, 0o700)
        guard mount("waypost-chaos", folder, "tmpfs", 0, "mode=0700,size=\(Self.roomy)") == 0 else {
            rmdir(folder)
            return nil
        }
        self.folder = folder
    }

    /// From now on there is room for so many bytes and no more. Files keep what they have, and may be written over.
    func fill(leaving room: Int) throws {
        // Others write while we count.
        for _ in 1...1_000 {
            var state = statvfs()
            guard statvfs(folder, &state) == 0 else { break }
            let page = Int(state.f_frsize)
            let used = (Int(state.f_blocks) - Int(state.f_bfree)) * page
            if resize(to: used + room / page * page) { return }
        }
        throw ChaosError("can't fill \(folder): \(String(cString: strerror(errno)))")
    }

    /// There is room again.
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

    /// Runs this program anew where it may mount what nobody else sees, with `mark` before its arguments. Returns where that is
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
