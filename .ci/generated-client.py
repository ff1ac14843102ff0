"""Calls each operation of openapi.json with the client that was generated from it, in an order in which objects exist.

    generated-client.py OPENAPI FOLDER URL

FOLDER contains the package waypost_client. The environment variable TOKEN is a token with all scopes. Bodies and
parameters are the examples of openapi.json. An operation fails if its response is not a 2xx, or if the generated code
can't parse it.
"""

import importlib
import io
import json
import os
import re
import subprocess
import sys
import typing

document = json.load(open(sys.argv[1]))
sys.path.insert(0, sys.argv[2])
url = sys.argv[3]

from waypost_client import AuthenticatedClient  # noqa: E402
from waypost_client.types import File, Unset  # noqa: E402

client = AuthenticatedClient(base_url=url, token=os.environ["TOKEN"])


def snake(name):
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", words).lower()


def resolved(value):
    while "$ref" in value:
        step = document
        for name in value["$ref"].split("/")[1:]:
            step = step[name]
        value = step
    return value


def example(media):
    if "example" in media:
        return media["example"]
    return resolved(media["schema"])["examples"][0]


def model(annotation):
    """The generated class for a body; None if the body is a list, or the text of a form."""
    for one in [annotation, *typing.get_args(annotation)]:
        if hasattr(one, "from_dict"):
            return one
    return None


def place(method, path):
    """Sorts operations: creating first, then changing and reading, then deleting, and the contact itself last."""
    made = ["/api/contacts", "/api/addresses", "/v1/friends", "/v1/feeds/{feed}/friends/{key}",
            "/v1/trackers/{user}/start", "/v1/trackers/{user}/sign-in", "/v1/trackers/{user}/locations",
            "/v1/tokens"]
    if method in ("post", "put") and path in made:
        return made.index(path)
    if path.startswith("/v1/jobs/{id}"):
        # A cancelled job ends its question, which then can't be reviewed.
        return 150
    if method != "delete":
        return 101 if path.endswith("/stop") else 100
    last = ["/v1/trackers/{user}/sign-in", "/v1/trackers/{user}", "/v1/feeds/{feed}/friends/{key}", "/api/addresses/{id}",
            "/v1/friends/{id}", "/api/contacts/{id}"]
    return 200 + last.index(path) if path in last else 200


operations = sorted(
    ((method, path, operation) for path, methods in document["paths"].items() for method, operation in methods.items()),
    key=lambda one: place(one[0], one[1]),
)
# Parameters that a phone's app may send in another way, and one parameter of two alternatives.
needed = {"/v1/osmand": ["id", "lat", "lon", "timestamp"], "/v1/owntracks": ["u"], "/v1/places": ["bbox"]}
ids = {}
failures = []


def steered(path):
    """The id of a worker, a job or a question on which the operation is possible."""

    def first(path, place=0):
        return client.get_httpx_client().get(path).json()["data"][place]["id"]

    if path.startswith("/v1/workers/"):
        return first("/v1/workers")
    if path.startswith("/v1/jobs/"):
        return first("/v1/jobs?state=dead" if path.endswith("/discard") else "/v1/jobs?state=ready")
    if "question" not in ids:
        doubt()
    if path.endswith("/accept") or path.endswith("/reject") or "question" not in ids:
        ids["question"] = first("/v1/review")
    return ids["question"]


def doubt():
    """Marks all questions for review, because no worker runs here."""
    candidate = (
        '[{"placemark": {"coordinate": {"latitude": 39.5, "longitude": -119.8}, "locality": "Reno"}, "precision": "city",'
        ' "confidence": 0.5, "isWeak": false, "provider": "gazetteer", "step": "structured", "isLent": false}]')
    subprocess.run(
        ["psql", "-q", os.environ["DATABASE_URL"], "-c",
         f"UPDATE geocodes SET status = 'needs_review', job = NULL, candidates = '{candidate}' WHERE status = 'waiting'"],
        check=True)


def arguments(method, path, operation, module):
    given = {}
    for parameter in map(resolved, operation.get("parameters", [])):
        name = parameter["name"]
        if parameter["in"] == "path":
            value = parameter["example"]
            if name == "id" and path.startswith(("/v1/workers/", "/v1/jobs/", "/v1/review/")):
                value = steered(path)
            elif name == "id" and path == "/v1/tokens/{id}":
                # The token that this client created, not the one that it uses.
                value = ids["/v1/tokens"]
            elif name == "id":
                value = ids.get(path.split("/{id}")[0].replace("/v1/addresses", "/api/addresses")) or ids["/api/contacts"]
                if method == "delete" and path == "/v1/friends/{id}":
                    # A friend from the stream.
                    value = client.get_httpx_client().get("/v1/feeds/crm/friends/18").json()["id"]
            given[snake(name)] = value
        elif parameter.get("required") or name in needed.get(path, []):
            given[snake(name)] = parameter["example"]
    contents = operation.get("requestBody", {}).get("content", {})
    known = [kind for kind in contents if kind in ("application/json", "application/octet-stream")]
    if known and path != "/v1/osmand":
        value = example(contents[known[0]])
        if isinstance(value, dict) and "contact_id" in value:
            value = {**value, "contact_id": ids["/api/contacts"]}
        if known[0] == "application/octet-stream":
            given["body"] = File(payload=io.BytesIO(value.encode()))
        else:
            annotation = typing.get_type_hints(module.sync_detailed)["body"]
            kind = model(annotation)
            items = [one for one in typing.get_args(annotation) if typing.get_origin(one) is list]
            if isinstance(value, list):
                kind = typing.get_args(items[0])[0]
                given["body"] = [kind.from_dict(one) for one in value]
            else:
                given["body"] = kind.from_dict(value) if kind else value
    return given


def streams(operation):
    return "text/event-stream" in operation["responses"].get("200", {}).get("content", {})


def call(method, path, operation):
    module = importlib.import_module(
        f"waypost_client.api.{snake(operation['tags'][0])}.{snake(operation['operationId'])}")
    given = arguments(method, path, operation, module)
    if streams(operation):
        # The stream never ends, but generated code reads to the end. So its request is sent here and read as a stream.
        with client.get_httpx_client().stream(**module._get_kwargs(**given)) as answer:
            assert answer.status_code == 200, answer.status_code
            assert next(answer.iter_lines()) is not None
        return
    answer = module.sync_detailed(client=client, **given)
    assert 200 <= answer.status_code < 300, f"{answer.status_code}: {answer.content[:300]}"
    declared = operation["responses"][str(int(answer.status_code))]
    kinds = resolved(declared).get("content", {})
    if any(kind.endswith("json") for kind in kinds):
        assert answer.parsed is not None and not isinstance(answer.parsed, Unset), "the answer was not read"
        if hasattr(answer.parsed, "to_dict"):
            read, sent = answer.parsed.to_dict(), json.loads(answer.content)
            assert read.keys() == sent.keys(), f"{sorted(read)} was read of {sorted(sent)}"
    if place(method, path) < 100 and path not in ids:
        made = json.loads(answer.content)
        ids[path] = made.get("data", made).get("id") if isinstance(made, dict) else None


for method, path, operation in operations:
    try:
        call(method, path, operation)
    except Exception as error:  # each operation is tried
        failures.append(f"{method.upper()} {path}: {type(error).__name__}: {error}")
for failure in failures:
    print(failure, file=sys.stderr)
print(f"{len(operations) - len(failures)} of {len(operations)} operations answer the generated client")
sys.exit(1 if failures else 0)
