import JSON
import Queue

extension JSONWriter {
    /// The members of a lane's settings, in the form that a PATCH accepts.
    mutating func settings(_ settings: LaneSettings) {
        for setting in LaneSetting.all {
            switch setting.read(settings) {
            case .count(let count): member(setting.member, count)
            case .time(let time): member(setting.member, time / .seconds(1))
            case .price(let price?):
                object(setting.member) { json in
                    json.member("per_1000_calls", price.per1000Calls)
                    json.member("currency", price.currency)
                }
            case .price(nil): null(setting.member)
            }
        }
    }

    mutating func audit(_ audit: LaneAudit) {
        object { json in
            json.member("lane", audit.lane)
            json.member("seconds", audit.time / .seconds(1))
            json.member("since", audit.since / .seconds(1))
            json.member("calls", audit.calls.calls)
            json.member("span_seconds", audit.calls.span)
            json.member("is_exceeded", audit.calls.isExceeded)
            json.member("slipped", audit.slipped)
            json.member("unclear", audit.unclear)
            json.list("limits", audit.calls.limits) { $0.audit($1) }
            json.list("steps", audit.staircase.steps) { json, step in
                json.object { json in
                    json.member("at", step.at)
                    json.member("calls", step.calls)
                    json.list("room", step.room) { $0.value($1) }
                }
            }
            json.list("outcomes", audit.outcomes) { json, outcome in
                json.object { json in
                    json.member("outcome", outcome.outcome)
                    json.member("calls", outcome.calls)
                    json.member("subjects", outcome.subjects)
                    json.member("average_seconds", outcome.averageTook.map { $0 / .seconds(1) })
                }
            }
        }
    }

    private mutating func audit(_ audit: LimitAudit) {
        object { json in
            json.member("calls", audit.limit.calls)
            json.member("per_seconds", audit.limit.per / .seconds(1))
            json.member("burst", audit.limit.burst)
            json.member("most_in_period", audit.mostInPeriod)
            json.member("permitted_in_period", audit.permittedInPeriod)
            json.member("excess", audit.excess)
            json.member("used_share", audit.usedShare)
            json.member("is_exceeded", audit.isExceeded)
        }
    }
}
