import Access
import HTTP
import Shapes

/// Contacts, addresses and countries, under `/api` and again under `/monica/api`: see ``ContactForm``.
extension APIServer {
    var contactRoutes: [APIRoute] { routes(of: .app) + routes(of: .monica) + appRoutes + monicaRoutes }

    @RouteTable private func routes(of form: ContactForm) -> [APIRoute] {
        let (base, models) = (form.base, form.models)
        APIRoute(monica: .get, base + "/contacts", .read, contacts)
            .described(
                form.id("getContacts"), "Lists contacts", query: form.pages + form.name + form.with,
                .ok("A page of contacts.", models.contacts))
        APIRoute(monica: .post, base + "/contacts", .write, addContact)
            .described(
                form.id("postContacts"), "Adds a contact", query: form.with,
                body: .json(models.newContact, orForm: models.newContactForm), .made("The contact.", models.contact))
        APIRoute(monica: .get, base + "/contacts/{id}", .read, contact)
            .described(form.id("getContact"), "Shows a contact", query: form.with, .ok("The contact.", models.contact))
        for method in form.changes {
            APIRoute(monica: method, base + "/contacts/{id}", .write, isConditional: true, changeContact)
                .described(
                    form.id(method.rawValue.lowercased() + "Contact"), "Changes a contact", query: form.with,
                    body: .json(models.changedContact, orForm: models.changedContactForm),
                    .stored("The contact.", models.contact))
        }
        APIRoute(monica: .delete, base + "/contacts/{id}", .write, isConditional: true, removeContact)
            .described(
                form.id("deleteContact"), "Removes a contact", .ok("It is deleted.", models.deletedContact),
                refuses: [422])
        APIRoute(monica: .get, base + "/contacts/{id}/addresses", .read, addressesOfContact)
            .described(
                form.id("getContactAddresses"), "Lists a contact's addresses", query: form.pages,
                .ok("A page of addresses.", models.addresses))
        APIRoute(monica: .get, base + "/addresses", .read, addresses)
            .described(
                form.id("getAddresses"), "Lists addresses", query: form.pages,
                .ok("A page of addresses.", models.addresses))
        APIRoute(monica: .post, base + "/addresses", .write, addAddress)
            .described(
                form.id("postAddresses"), "Adds an address",
                body: .json(models.newAddress, orForm: models.newAddressForm), .made("The address.", models.address),
                refuses: [404])
        APIRoute(monica: .get, base + "/addresses/{id}", .read, address)
            .described(form.id("getAddress"), "Shows an address", .ok("The address.", models.address))
        for method in form.changes {
            APIRoute(monica: method, base + "/addresses/{id}", .write, isConditional: true, changeAddress)
                .described(
                    form.id(method.rawValue.lowercased() + "Address"), "Changes an address",
                    body: .json(models.changedAddress, orForm: models.newAddressForm),
                    .stored("The address.", models.address))
        }
        APIRoute(monica: .delete, base + "/addresses/{id}", .write, isConditional: true, removeAddress)
            .described(
                form.id("deleteAddress"), "Removes an address", .ok("It is deleted.", Models.monicaDeleted),
                refuses: [422])
        APIRoute(monica: .get, base + "/countries", .read, countries)
            .described(form.id("getCountries"), "Lists all countries", .ok("The countries.", models.countries))
    }

    @RouteTable private var appRoutes: [APIRoute] {
        APIRoute(monica: .post, "/api/contacts/{id}/addresses", .write, addAddressToContact)
            .described(
                "postContactAddresses", "Adds an address to a contact", body: .json(Models.monicaAddressInput),
                .made("The address.", MonicaModels.app.address))
    }

    @RouteTable private var monicaRoutes: [APIRoute] {
        APIRoute(monica: .get, "/monica/api/me", .read, me)
            .described("monicaGetMe", "Shows whose token it is", .ok("The account, as a user.", Models.monicaFourMe))
    }
}

extension ContactForm {
    fileprivate var models: MonicaModels { self == .app ? .app : .monica }

    /// The methods that change a resource.
    fileprivate var changes: [ServerRequest.Method] { self == .app ? [.put] : [.put, .patch] }

    /// The operation's name: `monicaGetContacts` for Monica.
    fileprivate func id(_ name: String) -> String {
        self == .app ? name : "monica" + name.prefix(1).uppercased() + name.dropFirst()
    }

    fileprivate var pages: [Field] {
        let sorts = ["created_at", "-created_at", "updated_at", "-updated_at"]
        let sort = Field(ifAny: "sort", .choice(sorts).byDefault("created_at"), example: "-updated_at")
        switch self {
        case .app: return RequestReader.fields(as: .query, of: PageRequest.page) + [sort]
        case .monica:
            return [
                Field(
                    ifAny: "limit", .text.byDefault(JSONText(stringLiteral: "\(PageSize.monicaFour.usual)")),
                    "0 means the default.", example: "15"),
                Field(ifAny: "page", .text.byDefault("1"), "An invalid page is the first one.", example: "1"), sort,
            ]
        }
    }

    fileprivate var name: [Field] { RequestReader.fields(as: .query, of: PageRequest.name) }

    fileprivate var with: [Field] {
        guard self == .monica else { return [] }
        return [Field(ifAny: "with", .text, "`contactfields` adds two empty lists.", example: "contactfields")]
    }
}
