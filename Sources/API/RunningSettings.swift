package import Geocoding

/// The settings of this process, for an administrator. The code that makes this lists the visible settings, and there
/// is no member for the value of a secret.
package struct RunningSettings: Sendable {
    package struct Setting: Sendable {
        package let name: String
        /// Nil for a secret, and for a setting without a value.
        package let value: String?
        package let isSecret: Bool
        /// True if the environment sets it; otherwise it has its default.
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
    /// How many calls a worker has open in a lane, unless a plan sets another number.
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
