"""For .ci/schemathesis: how a stream of JSON values, one in a line, is written."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/jsonl")
def lines(context, value):
    return str(value).encode()
