/// The table `geocodes`: each distinct address once, and what is known of it.
package struct GeocodeStore: Sendable {
    package init() {}
}
