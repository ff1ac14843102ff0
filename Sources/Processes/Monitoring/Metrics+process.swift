import Glibc

/// The metrics about the process that every Prometheus client exports, with the usual names:
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
extension Metrics {
    /// Exports the memory, the CPU time and the files of this process, and its version.
    package func watchProcess(version: String, commit: String) {
        gauge(
            "waypost_build_info", "Always 1; the labels are the running version and its commit.", labels: "version",
            "commit")[
                version, commit
            ].set(1)
        total("process_cpu_seconds_total", "CPU time that the process has used.")[].read {
            // POSIX fixes the unit of `clock()` at a millionth of a second.
            Double(clock()) * 1e-6
        }
        gauge("process_resident_memory_bytes", "Memory that the process holds.")[].read {
            Double(OwnProcess.residentBytes)
        }
        gauge("process_virtual_memory_bytes", "Addresses that the process has mapped.")[].read {
            Double(OwnProcess.pages(0) * OwnProcess.pageSize)
        }
        gauge("process_open_fds", "Files that the process has open, sockets among them.")[].read {
            Double(OwnProcess.openFiles)
        }
        gauge("process_max_fds", "Files that the process may have open.")[].read { Double(OpenFiles.limit) }
        gauge("process_threads", "Threads of the process.")[].read { OwnProcess.stat(19) }
        gauge("process_start_time_seconds", "When the process began, since 1970.")[].set(OwnProcess.began)
    }
}
