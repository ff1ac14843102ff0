import Access
import HTTP
import Shapes

/// Contacts, addresses and countries in Monica's format.
extension APIServer {
    @ListBuilder<APIRoute> var contactRoutes: [APIRoute] {
        APIRoute(monica: .get, "/api/contacts", .read, contacts)
            .described(
                "getContacts", "Lists contacts", query: PageRequest.fields + PageRequest.nameFields,
                .ok("A page of contacts."))
        APIRoute(monica: .post, "/api/contacts", .write, addContact)
            .described(
                "postContacts", "Adds a contact", body: .json(MonicaModels.contactInput),
                .made("The contact."))
        APIRoute(monica: .get, "/api/contacts/{id}", .read, contact)
            .described("getContact", "Shows a contact", .ok("The contact."))
        APIRoute(monica: .put, "/api/contacts/{id}", .write, is: .conditional, changeContact)
            .described(
                "putContact", "Changes a contact", body: .json(MonicaModels.contactInput),
                .stored("The contact."))
        APIRoute(monica: .delete, "/api/contacts/{id}", .write, is: .conditional, removeContact)
            .described(
                "deleteContact", "Removes a contact", .ok("It is deleted."), refuses: [422])
        APIRoute(monica: .get, "/api/contacts/{id}/addresses", .read, addressesOfContact)
            .described(
                "getContactAddresses", "Lists a contact's addresses", query: PageRequest.fields,
                .ok("A page of addresses."))
        APIRoute(monica: .get, "/api/addresses", .read, addresses)
            .described(
                "getAddresses", "Lists addresses", query: PageRequest.fields,
                .ok("A page of addresses."))
        APIRoute(monica: .post, "/api/addresses", .write, addAddress)
            .described(
                "postAddresses", "Adds an address", body: .json(MonicaModels.newAddress),
                .made("The address."), refuses: [404])
        APIRoute(monica: .get, "/api/addresses/{id}", .read, address)
            .described("getAddress", "Shows an address", .ok("The address."))
        APIRoute(monica: .put, "/api/addresses/{id}", .write, is: .conditional, changeAddress)
            .described(
                "putAddress", "Changes an address", body: .json(MonicaModels.addressInput),
                .stored("The address."))
        APIRoute(monica: .delete, "/api/addresses/{id}", .write, is: .conditional, removeAddress)
            .described(
                "deleteAddress", "Removes an address", .ok("It is deleted."), refuses: [422])
        APIRoute(monica: .get, "/api/countries", .read, countries)
            .described("getCountries", "Lists all countries", .ok("The countries."))
        APIRoute(monica: .post, "/api/contacts/{id}/addresses", .write, addAddressToContact)
            .described(
                "postContactAddresses", "Adds an address to a contact", body: .json(MonicaModels.addressInput),
                .made("The address."))
    }
}

extension PageRequest {
    /// The parameters of each list.
    fileprivate static var fields: [Field] {
        let sorts = ["created_at", "-created_at", "updated_at", "-updated_at"]
        let sort = Field(ifAny: "sort", .choice(sorts).byDefault("created_at"), example: "-updated_at")
        return RequestReader.fields(as: .query, of: page) + [sort]
    }

    fileprivate static var nameFields: [Field] { RequestReader.fields(as: .query, of: name) }
}
