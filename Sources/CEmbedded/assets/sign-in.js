// A token is typed once. Only a session stays in the browser.
import { make } from "./app.js";

export function show(main) {
    const field = make("input", {
        id: "token", name: "token", type: "password", required: "", autocomplete: "current-password", spellcheck: "false",
        "aria-describedby": "how",
    });
    const said = new URLSearchParams(location.search);
    main.append(make("form", { className: "field", method: "post", action: "/sign-in" },
        make("h1", {}, "Sign in"),
        said.has("wrong") ? make("p", { className: "wrong", role: "alert" }, "This token is not valid here.") : null,
        make("input", { type: "hidden", name: "next", value: said.get("next") ?? "/" }),
        make("label", {}, "Token", field),
        make("p", { id: "how", className: "soft" }, "On the server, ", make("code", {}, "waypost tokens create NAME --account default --scope read --scope admin"), " creates one."),
        make("button", {}, "Sign in")));
    field.focus();
}
