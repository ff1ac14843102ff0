package import Geocoding

/// What this process runs with, for an administrator to look at. Whoever makes one names what may be seen: there is no place for
/// the value of a secret.
package struct RunningSettings: Sendable {
    package struct Setting: Sendable {
        package let name: String
        /// Nil for a secret, and for what has no value.
        package let value: String?
        package let isSecret: Bool
        /// Whether the environment sets it; else it has its default.
        package let isSet: Bool

        package static func plain(_ name: String, _ value: String?, isSet: Bool) -> Self {
            Self(name: name, value: value, isSecret: false, isSet: isSet)
        }

        package static func secret(_ name: String, isSet: Bool) -> Self {
            Self(name: name, value: nil, isSecret: true, isSet: isSet)
        }
    }

    package struct Provider: Sendable {
        let name: String
        let terms: ProviderTerms

        package init(name: String, terms: ProviderTerms) {
            self.name = name
            self.terms = terms
        }
    }

    package var version: String
    package var settings: [Setting]
    package var providers: [Provider]
    /// The providers that run inside a worker and send no request.
    package var inWorker: Set<String>
    /// Calls that a worker holds in a lane, unless a plan says otherwise.
    package var callsAtOnce: Int

    package init(
        version: String, settings: [Setting] = [], providers: [Provider] = [], inWorker: Set<String> = [],
        callsAtOnce: Int = 16
    ) {
        self.inWorker = inWorker
        self.callsAtOnce = callsAtOnce
        self.version = version
        self.settings = settings
        self.providers = providers
    }
}
