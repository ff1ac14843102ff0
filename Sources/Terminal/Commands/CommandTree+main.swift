import Glibc
import Processes

extension CommandTree {
    /// Runs the command of these words, and returns the exit code.
    ///
    /// 0 means success, 1 a command that failed, 2 an invalid command line.
    package func main(
        _ words: [String], output: Screen = .output, errors: Screen = .errors
    ) async -> Int32 {
        switch plan(for: words) {
        case .run(let command, let path):
            return await run(command, path: path, errors: errors)
        case .show(let text):
            output.write(text)
            return 0
        case .write(let files, let folder):
            return write(files, to: folder, output, errors)
        case .help(let level):
            output.write(level.help(on: output))
            return 0
        case .choose(let level):
            errors.write(level.help(on: errors))
            return 2
        case .refuse(let error, let path):
            errors.write(refusal(error, path: path))
            return 2
        }
    }

    private func run(_ command: any Invocation, path: [String], errors: Screen) async -> Int32 {
        if let notice = notice(command) { errors.writeLine(notice) }
        do {
            try await command.run()
            return 0
        } catch let exit as ExitCode {
            return exit.code
        } catch let error as UsageError {
            errors.write(refusal(error, path: path))
            return 2
        } catch {
            errors.write("\(name): \(error)\(remedy(error).map { "; \($0)" } ?? "")\n")
            return 1
        }
    }

    private func write(
        _ files: [(file: String, text: String)], to folder: String, _ output: Screen, _ errors: Screen
    ) -> Int32 {
        var made = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            made += (made.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
            // If the folder exists, this has no effect. If it can't be made, opening the first file fails.
            _ = mkdir(made, 0o755)
        }
        for (file, text) in files {
            guard let stream = fopen("\(folder)/\(file)", "w"), fputs(text, stream) >= 0, fclose(stream) == 0 else {
                errors.writeLine("\(name): can't write \(folder)/\(file): \(SystemError(code: errno))")
                return 1
            }
        }
        output.writeLine("Wrote \(files.count) pages to \(folder).")
        return 0
    }

    private func refusal(_ error: UsageError, path: [String]) -> String {
        let place = path.joined(separator: " ")
        return error.mistakes.map { "\(place): \($0)\n" }.joined() + "See '\(place) --help'.\n"
    }
}
