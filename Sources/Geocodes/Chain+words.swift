import Geocoding

extension Chain.Link {
    /// `nominatim:countries=DE,AT:below=0.6:stop=rooftop:steps=structured,free form`, the form in commands.
    package var words: String {
        var parts = [lane]
        if let countries { parts.append("countries=" + countries.joined(separator: ",")) }
        if let below { parts.append("below=\(below)") }
        if let stopAt { parts.append("stop=\(stopAt.rawValue)") }
        if let steps { parts.append("steps=" + steps.map(\.rawValue).joined(separator: ",")) }
        return parts.joined(separator: ":")
    }
}
