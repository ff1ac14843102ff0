"""For .ci/schemathesis: writes a stream of JSON values, one on each line."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/jsonl")
def lines(context, value):
    return str(value).encode()
