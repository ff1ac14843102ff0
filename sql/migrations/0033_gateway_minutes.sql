-- The requests at the gateway. tables/api.sql explains the columns.

CREATE TABLE gateway_minutes (
    minute    timestamptz NOT NULL,
    account   integer     NOT NULL,
    token     integer     NOT NULL,
    process   bigint      NOT NULL,
    name      text        NOT NULL,
    local     integer     NOT NULL,
    cache     integer     NOT NULL,
    call      integer     NOT NULL,
    waiting   integer     NOT NULL,
    missed    integer     NOT NULL,
    refused   integer     NOT NULL,
    durations integer[]   NOT NULL,
    PRIMARY KEY (minute, account, token, process),
    CONSTRAINT durations_have_20_classes CHECK (cardinality(durations) = 20)
)
WITH (fillfactor = 50);

ALTER TABLE gateway_minutes ENABLE ROW LEVEL SECURITY;
