#if FUZZER
    import Glibc

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    /// The target for libFuzzer, whose callback can have no context. Written once, before it starts.
    private nonisolated(unsafe) var current: FuzzTarget?

    /// Keeps its corpus in `.build/fuzz-corpus`, and starts from there the next time.
    func runFuzzer(_ target: FuzzTarget, seconds: Int) -> CInt {
        current = target
        let folder = ".build/fuzz-corpus/\(target.name)"
        mkdir(".build/fuzz-corpus", 0o755)
        mkdir(folder, 0o755)
        for (number, seed) in target.seeds.enumerated() {
            guard let file = fopen("\(folder)/seed-\(number)", "w") else { continue }
            fputs(seed, file)
            fclose(file)
        }
        let words = [
            "Fuzz", folder, "-max_total_time=\(seconds)", "-artifact_prefix=\(folder)-", "-timeout=20",
            "-max_len=4096", "-rss_limit_mb=1024", "-print_final_stats=1",
        ]
        var count = CInt(words.count)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return runDriver(&count, &start) { bytes, size in
                current?.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            }
        }
    }
#endif
