import JSON
import Queue
import Testing

@testable import Shapes

struct ShapeTests {
    struct Boat: Shaped {
        struct Sail: Shaped {
            let size: Double
            static let shape = Shape<Sail>("Sail", "") { Member("size_m2", example: 12) { $0.size }.bounds(0) }
        }

        enum Kind: String, CaseIterable, JSONRepresentable { case dinghy, yacht }

        var name = "Ada"
        var crew: Int?
        var kind = Kind.yacht
        var sails: [Sail] = []
        var spare: Sail?
        var flag: String?

        static let shape = Shape<Boat>("Boat", "A boat.") {
            Member("name", "What it is \"called\".", example: "Ada") { $0.name }
            Member("crew") { $0.crew }
            Member("kind") { $0.kind }
            Member("sails") { $0.sails }
            Member("spare") { $0.spare }
            Member(ifAny: "flag", example: "FI") { $0.flag }.pattern("^[A-Z]{2}$")
        }
    }

    @Test func `a value is written with its members in their order`() {
        #expect(
            text(Boat(name: "A\"", sails: [.init(size: 1.5)]))
                == #"{"name":"A\"","crew":null,"kind":"yacht","sails":[{"size_m2":1.5}],"spare":null}"#)
    }

    @Test func `a member without a value is null, or missing if it is declared so`() {
        #expect(text(Boat(crew: 2, flag: "FI")).contains(#""crew":2"#))
        #expect(text(Boat(flag: "FI")).hasSuffix(#","flag":"FI"}"#))
    }

    @Test func `the schema follows from the types of the values`() throws {
        let schema = try JSONValue(parsing: Array(Boat.shape.info.json.text.utf8))
        let expected = """
            {"description": "A boat.", "type": "object", "additionalProperties": false,
             "properties": {
               "name": {"description": "What it is \\"called\\".", "type": "string"},
               "crew": {"type": ["integer", "null"], "minimum": 0},
               "kind": {"type": "string", "enum": ["dinghy", "yacht"]},
               "sails": {"type": "array", "items": {"$ref": "#/components/schemas/Sail"}},
               "spare": {"anyOf": [{"$ref": "#/components/schemas/Sail"}, {"type": "null"}]},
               "flag": {"type": "string", "pattern": "^[A-Z]{2}$"}},
             "required": ["name", "crew", "kind", "sails", "spare"],
             "examples": [{"name": "Ada", "crew": null, "kind": "dinghy", "sails": [{"size_m2": 12}],
                           "spare": {"size_m2": 12}, "flag": "FI"}]}
            """
        #expect(try schema == JSONValue(parsing: Array(expected.utf8)))
    }

    @Test func `a page has the position of the next page if there are more items`() {
        #expect(text(Page(2, next: \.self) { Array([1, 2, 3].prefix($0)) }) == #"{"data":[1,2],"next_after":2}"#)
        #expect(
            text(PageBefore(2, next: \.self) { Array([1, 2].prefix($0)) }) == #"{"data":[1,2],"next_before":null}"#)
        #expect(text(List([1])) == #"{"data":[1]}"#)
    }

    @Test func `a schema lists the shapes that it refers to`() {
        #expect(Page<Boat, Int>.schema.models.map(\.name) == ["Boat", "Sail", "Sail"])
        #expect(LaneState.schema.models.map(\.name).contains("Price"))
    }

    private func text(_ value: some JSONRepresentable) -> String { JSONWriter.text { value.write(to: &$0) } }
}
