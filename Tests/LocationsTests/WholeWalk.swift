import Foundation
import Locations
import Postgres
import Testing
import Tracking

/// The rows of one user by the simplest means: after each piece, a walk through all fixes from the first one on. The
/// stores read and walk only what may change, and must come to the same rows.
struct WholeWalk {
    let rule: TrackingRule
    let keepsDoubted: Bool
    private var fixes: [Fix] = []

    init(_ rule: TrackingRule, keepsDoubted: Bool) { (self.rule, self.keepsDoubted) = (rule, keepsDoubted) }

    /// Adds fixes, and returns the rows that must then be stored.
    mutating func rows(after piece: [Fix]) -> [String] {
        var new: [String: Fix] = [:]
        for fix in piece where (new[fix.place]?.waitTime ?? -1) < fix.waitTime { new[fix.place] = fix }
        for old in fixes where (new[old.place]?.waitTime ?? .infinity) <= old.waitTime { new[old.place] = nil }
        let all = (fixes.filter { new[$0.place] == nil } + new.values).sorted { $0.comesBefore($1) }
        fixes = []
        var walk = TrackWalk(rule: rule)
        var doubted: [Bool] = []
        for fix in all {
            let isBelieved = walk.believes(fix)
            if !isBelieved, !keepsDoubted, new[fix.place] != nil { continue }
            walk.add(fix)
            fixes.append(fix)
            doubted.append(!isBelieved)
        }
        return zip(fixes, doubted).map { "\($0.place) \($0.waitTime) \($1)" }
            + walk.stays.map { "\($0.start.place) \($0.waitTime)" }
    }

    /// The stored rows of a user in the same form.
    static func rows(of user: String, on database: isolated Connection) throws -> [String] {
        let fixes = try database.query(
            """
            SELECT extract(epoch FROM at) AS time, f.id, f.wait_time, is_doubted
            FROM fixes AS f JOIN trackers ON trackers.id = tracker WHERE user_id = \(user) ORDER BY at, f.id
            """
        ).map { row in
            let time: Double = try row.read("time")
            let (id, wait): (String, Double) = (try row.read("id"), try row.read("wait_time"))
            return "\(time) \(id) \(wait) \(try row.read("is_doubted", as: Bool.self))"
        }
        let locations = try database.query(
            """
            SELECT extract(epoch FROM at) AS time, l.id, l.wait_time
            FROM pending_locations AS l JOIN trackers ON trackers.id = tracker
            WHERE user_id = \(user) AND NOT removed ORDER BY at, l.id
            """
        ).map { row in
            let time: Double = try row.read("time")
            let (id, wait): (String, Double) = (try row.read("id"), try row.read("wait_time"))
            return "\(time) \(id) \(wait)"
        }
        return fixes + locations
    }
}

extension Fix {
    fileprivate var place: String { "\(timestamp) \(id)" }
}
