/// The tables `gazetteer_…`: GeoNames places and postcodes, in the database so that every worker has them.
package struct Gazetteer: Sendable {
    package init() {}
}
