import Postgres
import Testing

struct DatabasePlaceTests {
    @Test(arguments: [
        ("postgresql://ada:secret@db.example.org/prod", "prod on db.example.org:5432"),
        ("postgresql://ada@db.example.org:6432/prod?connect_timeout=3", "prod on db.example.org:6432"),
        ("postgresql://u@a,b:5433/prod?target_session_attrs=read-write", "prod on a:5432, b:5433"),
        ("postgresql://u@[::1]:5000/x", "x on [::1]:5000"),
        ("host=/run/postgresql dbname=w user=u password=secret", "w on /run/postgresql"),
        ("host=h user=ada", "ada on h:5432"),
    ])
    func `a place is the name and the hosts`(url: String, place: String) {
        #expect(DatabasePlace(url: url)?.description == place)
    }

    @Test func `a text that is not a URL has no place`() {
        #expect(DatabasePlace(url: "postgresql://[") == nil)
        #expect(DatabasePlace(url: "colour=red") == nil)
    }
}
