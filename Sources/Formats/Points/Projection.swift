import Glibc

/// Converts the coordinates of a national system to degrees, with PROJ: https://proj.org
///
/// The library is loaded when it is first needed. It has its own HTTP client and image formats, which a worker would
/// load each time it starts if the program were linked to it.
final class Projection {
    private typealias Create =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>, OpaquePointer?) -> OpaquePointer?
    private typealias Normalize = @convention(c) (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
    private typealias Numbers = UnsafeMutablePointer<Double>?
    private typealias Transform =
        @convention(c) (
            OpaquePointer?, Int32, Numbers, Int, Int, Numbers, Int, Int, Numbers, Int, Int, Numbers, Int, Int
        ) -> Int
    private typealias Destroy = @convention(c) (OpaquePointer?) -> OpaquePointer?

    /// PROJ's default context belongs to one thread at a time. This one belongs to one projection.
    private let context: OpaquePointer?
    private let transformation: OpaquePointer
    private let transform: Transform
    private let destroy, destroyContext: Destroy

    /// `system` is a code such as `EPSG:5514`.
    init(from system: String) throws(PointTable.Problem) {
        // Debian's name of the library, then that of its development package.
        guard let library = dlopen("libproj.so.25", RTLD_NOW) ?? dlopen("libproj.so", RTLD_NOW),
            let create = dlsym(library, "proj_create_crs_to_crs"),
            let normalize = dlsym(library, "proj_normalize_for_visualization"),
            let transform = dlsym(library, "proj_trans_generic"), let destroy = dlsym(library, "proj_destroy"),
            let open = dlsym(library, "proj_context_create"), let close = dlsym(library, "proj_context_destroy")
        else {
            throw PointTable.Problem(
                "has coordinates of \(system), which need the library PROJ: apt-get install libproj25")
        }
        self.transform = unsafeBitCast(transform, to: Transform.self)
        let destroyer = unsafeBitCast(destroy, to: Destroy.self)
        self.destroy = destroyer
        let (destroyContext, context) = (
            unsafeBitCast(close, to: Destroy.self),
            unsafeBitCast(open, to: (@convention(c) () -> OpaquePointer?).self)()
        )
        (self.destroyContext, self.context) = (destroyContext, context)
        var isMade = false
        defer { if !isMade { _ = destroyContext(context) } }
        // Without it, PROJ prints its errors.
        if let log = dlsym(library, "proj_log_level") {
            _ = unsafeBitCast(log, to: (@convention(c) (OpaquePointer?, Int32) -> Int32).self)(context, 0)
        }
        let created = unsafeBitCast(create, to: Create.self)(context, system, "EPSG:4326", nil)
        defer { if created != nil { _ = destroyer(created) } }
        // Systems differ in the order of their axes. Normalized, east comes before north.
        guard let created, let normalized = unsafeBitCast(normalize, to: Normalize.self)(context, created) else {
            throw PointTable.Problem("the coordinate system is unknown to PROJ: \(system); a code is like EPSG:5514")
        }
        transformation = normalized
        isMade = true
    }

    deinit {
        _ = destroy(transformation)
        _ = destroyContext(context)
    }

    /// Infinite for a point that the system does not have.
    func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double) {
        var (longitude, latitude) = (x, y)
        // 1 is forward; the strides are not used, because each list has one number.
        _ = transform(transformation, 1, &longitude, 8, 1, &latitude, 8, 1, nil, 0, 0, nil, 0, 0)
        return (longitude, latitude)
    }
}
