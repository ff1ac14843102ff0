import Foundation

/// The median. Disturbances by other users of the machine hardly move it.
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The value below which `share` of all values lie.
func percentile(_ share: Double, of values: [Double]) -> Double {
    values.sorted()[min(values.count - 1, Int(Double(values.count) * share))]
}

func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
}

/// A whole number, right-aligned.
func column(_ value: Double, width: Int = 9) -> String {
    let text = "\(Int(value.rounded()))"
    return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// With two decimals, left-aligned.
func ratio(_ value: Double) -> String {
    "\((value * 100).rounded() / 100)".padding(toLength: 6, withPad: " ", startingAt: 0)
}

func title(_ text: String, width: Int = 34) -> String {
    text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
}

/// CPU seconds used by a process.
func cpuTime(of pid: Int32) -> Double {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
    else { return 0 }
    let fields = stat[end...].split(separator: " ")
    return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// CPU seconds of this thread. Other work on the machine is not counted.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Resident memory of a process.
func residentMegabytes(of pid: Int32) -> Double {
    guard let pages = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ") else {
        return 0
    }
    return (Double(pages[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
}
