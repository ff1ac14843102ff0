import Formats

/// The lines of a street, simplified to 10 m, as bytes: for each line the number of its positions, then differences in
/// units of a millionth of a degree, each as a varint.
enum StreetLine {
    private static let tolerance = 10.0
    private static let unit: Int32 = 10

    static func bytes(of lines: [ArraySlice<MapPosition>]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: (latitude: Int64, longitude: Int64) = (0, 0)
        for line in lines {
            let kept = simplified(Array(line))
            append(UInt64(kept.count), to: &bytes)
            for position in kept {
                let next = (latitude: Int64(position.latitude / unit), longitude: Int64(position.longitude / unit))
                append(zigzag(next.latitude - last.latitude), to: &bytes)
                append(zigzag(next.longitude - last.longitude), to: &bytes)
                last = next
            }
        }
        return bytes
    }

    /// Empty if the bytes are not of this form: another program may have written them.
    static func lines(in bytes: [UInt8]) -> [[MapPosition]] {
        var rest = bytes[...]
        var lines: [[MapPosition]] = []
        var last: (latitude: Int64, longitude: Int64) = (0, 0)
        while !rest.isEmpty {
            guard let count = varint(&rest), count <= UInt64(rest.count) else { return [] }
            var line: [MapPosition] = []
            for _ in 0..<Int(count) {
                guard let north = varint(&rest), let east = varint(&rest) else { return [] }
                last.latitude &+= unzigzag(north)
                last.longitude &+= unzigzag(east)
                let (latitude, isFar) = last.latitude.multipliedReportingOverflow(by: Int64(unit))
                let (longitude, isFarEast) = last.longitude.multipliedReportingOverflow(by: Int64(unit))
                guard !isFar, !isFarEast, let latitude = Int32(exactly: latitude),
                    let longitude = Int32(exactly: longitude)
                else { return [] }
                line.append(MapPosition(latitude: latitude, longitude: longitude))
            }
            lines.append(line)
        }
        return lines
    }

    /// Douglas and Peucker: leaves out positions that lie less than the tolerance beside the line without them.
    static func simplified(_ line: [MapPosition]) -> [MapPosition] {
        guard line.count > 2 else { return line }
        var isKept = [Bool](repeating: false, count: line.count)
        (isKept[0], isKept[line.count - 1]) = (true, true)
        var open = [0..<(line.count - 1)]
        while let range = open.popLast() {
            let ends = [line[range.lowerBound], line[range.upperBound]]
            var farthest = (place: 0, distance: tolerance)
            for place in range.dropFirst() {
                let distance = LocalMetres(around: line[place]).nearest(on: ends)?.distance ?? 0
                if distance > farthest.distance { farthest = (place, distance) }
            }
            guard farthest.place > 0 else { continue }
            isKept[farthest.place] = true
            open += [range.lowerBound..<farthest.place, farthest.place..<range.upperBound]
        }
        return zip(line, isKept).filter(\.1).map(\.0)
    }

    private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
    private static func unzigzag(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(value & 1) }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
