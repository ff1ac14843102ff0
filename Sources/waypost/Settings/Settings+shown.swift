import API
import Cluster
import Geocoding

extension Settings {
    /// The settings that a page may show: only those whose line in the table has a value to show. A setting that may
    /// contain a password, a key or its owner's name is a secret, so its value is not shown.
    var shown: [RunningSettings.Setting] {
        let plain = ProcessSetting.all.compactMap { setting in
            setting.shown.map { .plain(setting.name, $0(self), isSet: given.contains(setting.name)) }
                as RunningSettings.Setting?
        }
        let secrets = ProcessSetting.all.filter(\.isSecret).map(\.name) + ProviderSettings.secrets
        return plain + secrets.map { .secret($0, isSet: given.contains($0)) }
    }
}

extension Application {
    var running: RunningSettings {
        RunningSettings(
            version: Waypost.version, settings: settings.shown,
            providers: providers.map { RunningSettings.Provider(name: $0.name, terms: $0.terms) },
            inWorker: inWorker, callsAtOnce: settings.callsAtOnce)
    }
}
