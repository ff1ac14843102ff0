/// The table `geocodes`: each distinct address once, with its answer.
package struct GeocodeStore: Sendable {
    package init() {}
}
