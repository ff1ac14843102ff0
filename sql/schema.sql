-- The sum of sql/tables, sql/migrations and sql/functions. Written by make schema, compared by make test.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TYPE public.call_outcome AS ENUM (
    'done',
    'moved',
    'retry',
    'failed',
    'snoozed',
    'rate',
    'quota',
    'lost'
);

CREATE TYPE public.geocode_status AS ENUM (
    'waiting',
    'located',
    'needs_review',
    'not_found',
    'failed',
    'forgotten'
);

CREATE TYPE public.job_report AS (
    job bigint,
    lease bigint,
    outcome text,
    started double precision,
    took real,
    pause interval,
    reason text,
    epoch integer
);

CREATE TYPE public.left_over AS (
    job bigint,
    subject bigint,
    lane text,
    pause interval
);

CREATE TABLE public.followed_calls (
    lane smallint NOT NULL,
    chain integer NOT NULL,
    call_number smallint NOT NULL,
    calls double precision NOT NULL,
    followed double precision NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.server_clock (
    only_row boolean DEFAULT true NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    checked_for integer DEFAULT 0 NOT NULL,
    checked_at timestamp with time zone,
    checked_boot text,
    checked_from double precision,
    checked_to double precision,
    rate double precision DEFAULT 0 NOT NULL,
    CONSTRAINT a_check_is_complete CHECK ((num_nulls(checked_at, checked_boot, checked_from, checked_to) = ANY (ARRAY[0, 4]))),
    CONSTRAINT a_clock_gains_little CHECK (((rate >= (0)::double precision) AND (rate <= (0.1)::double precision))),
    CONSTRAINT boot_times_are_finite CHECK (((LEAST(checked_from, checked_to) > '-Infinity'::double precision) AND (GREATEST(checked_from, checked_to) < 'Infinity'::double precision))),
    CONSTRAINT moments_have_a_date CHECK (((checked_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (checked_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT there_is_one_clock CHECK (only_row)
);

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    lease bigint,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    starts_at timestamp with time zone,
    worker integer,
    lane smallint NOT NULL,
    priority smallint DEFAULT 1 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    losses smallint DEFAULT 0 NOT NULL,
    subjects bigint[] NOT NULL,
    history jsonb,
    wakes boolean,
    trace text DEFAULT NULLIF(current_setting('waypost.trace'::text, true), ''::text),
    chain integer DEFAULT 0 NOT NULL,
    call_number smallint DEFAULT 1 NOT NULL,
    CONSTRAINT a_held_job_has_a_worker_a_lease_and_a_slot CHECK ((((worker IS NULL) = (lease IS NULL)) AND ((worker IS NULL) = (starts_at IS NULL)))),
    CONSTRAINT a_job_has_subjects CHECK ((cardinality(subjects) > 0)),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(run_at, starts_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(run_at, starts_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT priority_is_known CHECK (((priority >= 0) AND (priority <= 3)))
)
WITH (fillfactor='100', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.5');

CREATE TABLE public.lanes (
    id smallint NOT NULL,
    name text NOT NULL,
    batch integer DEFAULT 1 NOT NULL,
    paused_at timestamp with time zone,
    blocked_until timestamp with time zone,
    blocked_because text,
    calls_at_once integer,
    calls_per_worker integer,
    grace interval DEFAULT '00:00:00.01'::interval NOT NULL,
    call_limit interval DEFAULT '00:01:00'::interval NOT NULL,
    most_failures smallint DEFAULT 5 NOT NULL,
    first_retry interval DEFAULT '00:00:01'::interval NOT NULL,
    longest_retry interval DEFAULT '00:05:00'::interval NOT NULL,
    breaker_after smallint DEFAULT 5 NOT NULL,
    faults integer DEFAULT 0 NOT NULL,
    trips integer DEFAULT 0 NOT NULL,
    pace real DEFAULT 1 NOT NULL,
    pace_changed_at timestamp with time zone,
    paused_because text,
    limits_changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attribution text DEFAULT ''::text NOT NULL,
    price_per_1000_calls numeric,
    currency text,
    spread interval DEFAULT '00:00:00'::interval NOT NULL,
    spread_before interval DEFAULT '00:00:00'::interval NOT NULL,
    spread_since timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    well_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    wary_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    probes integer DEFAULT 0 NOT NULL,
    probed_run_at timestamp with time zone,
    probed_id bigint,
    kind text DEFAULT 'geocoding'::text NOT NULL,
    buckets_converted_at timestamp with time zone,
    denied_since timestamp with time zone,
    failed_because text,
    failed_at timestamp with time zone,
    rest_after_failure interval DEFAULT '00:00:00'::interval NOT NULL,
    machines smallint,
    CONSTRAINT a_block_has_a_reason CHECK (((blocked_until IS NULL) = (blocked_because IS NULL))),
    CONSTRAINT a_breaker_opens_after_a_fault CHECK (((breaker_after >= 1) AND (faults >= 0) AND (trips >= 0))),
    CONSTRAINT a_call_carries_at_least_one_subject CHECK ((batch >= 1)),
    CONSTRAINT a_call_has_time CHECK ((call_limit > '00:00:00'::interval)),
    CONSTRAINT a_currency_is_three_capitals CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT a_failure_has_a_reason CHECK (((failed_because IS NULL) = (failed_at IS NULL))),
    CONSTRAINT a_job_is_tried_at_least_once CHECK ((most_failures >= 1)),
    CONSTRAINT a_lane_is_of_a_known_kind CHECK ((kind = ANY (ARRAY['geocoding'::text, 'upload'::text]))),
    CONSTRAINT a_price_is_an_amount_of_a_currency CHECK (((price_per_1000_calls IS NULL) = (currency IS NULL))),
    CONSTRAINT a_price_is_not_negative CHECK (((price_per_1000_calls >= (0)::numeric) AND (price_per_1000_calls < 'Infinity'::numeric))),
    CONSTRAINT a_rest_is_not_negative CHECK ((rest_after_failure >= '00:00:00'::interval)),
    CONSTRAINT caps_permit_something CHECK (((calls_at_once >= 1) AND (calls_per_worker >= 1))),
    CONSTRAINT grace_is_short CHECK (((grace >= '00:00:00'::interval) AND (grace <= '00:00:01'::interval))),
    CONSTRAINT machines_permit_somebody CHECK ((machines >= 1)),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at, wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at, wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT pace_is_a_share CHECK (((pace >= (0.01)::double precision) AND (pace <= (1)::double precision))),
    CONSTRAINT retries_have_a_wait CHECK (((first_retry > '00:00:00'::interval) AND (longest_retry >= first_retry))),
    CONSTRAINT waits_are_finite CHECK ((GREATEST(grace, call_limit, first_retry, longest_retry, spread, spread_before) <= '366 days'::interval))
)
WITH (fillfactor='50');

CREATE TABLE public.token_buckets (
    lane smallint NOT NULL,
    per interval NOT NULL,
    refill double precision NOT NULL,
    capacity double precision NOT NULL,
    full_at timestamp with time zone DEFAULT now() NOT NULL,
    worker integer,
    charged_at timestamp with time zone,
    CONSTRAINT a_bucket_fills CHECK (((refill > (0)::double precision) AND (per > '00:00:00'::interval))),
    CONSTRAINT a_bucket_holds_a_token CHECK ((capacity >= (1)::double precision)),
    CONSTRAINT a_limit_is_finite CHECK (((refill < 'Infinity'::double precision) AND (capacity < 'Infinity'::double precision))),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(full_at, charged_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(full_at, charged_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.addresses (
    id bigint NOT NULL,
    friend bigint NOT NULL,
    "position" smallint NOT NULL,
    label text DEFAULT ''::text NOT NULL,
    street text DEFAULT ''::text NOT NULL,
    city text DEFAULT ''::text NOT NULL,
    region text DEFAULT ''::text NOT NULL,
    postcode text DEFAULT ''::text NOT NULL,
    country text DEFAULT ''::text NOT NULL,
    hash bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    country_code text,
    owner integer NOT NULL,
    place_status text DEFAULT 'waiting'::text NOT NULL,
    place_precision text,
    place_is_weak boolean DEFAULT false NOT NULL,
    map_key bigint,
    changed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    place_is_provisional boolean DEFAULT false NOT NULL,
    CONSTRAINT a_country_code_is_two_capitals CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT an_address_says_where CHECK ((concat(street, city, country) ~ '[^[:space:]]'::text))
);

CREATE TABLE public.friends (
    id bigint NOT NULL,
    account integer NOT NULL,
    source_key text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    feed text DEFAULT ''::text NOT NULL,
    first_name text DEFAULT ''::text NOT NULL,
    last_name text DEFAULT ''::text NOT NULL,
    nickname text DEFAULT ''::text NOT NULL,
    deleted_at timestamp with time zone,
    changed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    CONSTRAINT a_key_and_a_feed_are_in_the_form_nfc CHECK (((source_key IS NFC NORMALIZED) AND (feed IS NFC NORMALIZED)))
);

CREATE TABLE public.sign_ins (
    id integer NOT NULL,
    account integer NOT NULL,
    sink integer NOT NULL,
    tracker integer,
    sealed bytea NOT NULL,
    number integer DEFAULT 1 NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    may_renew boolean DEFAULT true NOT NULL,
    refusal text,
    renewed_by timestamp with time zone
);

CREATE TABLE public.accounts (
    id integer NOT NULL,
    name text NOT NULL,
    chain text DEFAULT 'default'::text NOT NULL,
    has_pins boolean DEFAULT false NOT NULL,
    purges bigint DEFAULT 0 NOT NULL,
    purged_in bigint DEFAULT 0 NOT NULL,
    CONSTRAINT a_name_is_in_the_form_nfc CHECK ((name IS NFC NORMALIZED))
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.address_tallies (
    account integer NOT NULL,
    status text NOT NULL,
    "precision" text,
    is_weak boolean NOT NULL,
    addresses bigint NOT NULL,
    changes bigint NOT NULL,
    is_provisional boolean DEFAULT false NOT NULL
);

ALTER TABLE public.addresses ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.addresses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    verb text NOT NULL,
    target text NOT NULL,
    token integer,
    author text NOT NULL,
    of_account text,
    host text,
    before jsonb,
    after jsonb,
    CONSTRAINT a_verb_has_a_group CHECK ((verb ~ '^[a-z]+\.[a-z-]+$'::text)),
    CONSTRAINT only_an_account_has_tokens CHECK (((token IS NULL) OR (of_account IS NOT NULL))),
    CONSTRAINT who_acts_is_a_user_of_a_host_or_works_for_an_account CHECK (((host IS NULL) <> (of_account IS NULL)))
);

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.backlogs (
    lane smallint NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    took interval NOT NULL,
    ready bigint NOT NULL,
    later bigint NOT NULL,
    dead bigint NOT NULL,
    last_due timestamp with time zone,
    calls double precision DEFAULT 0 NOT NULL,
    CONSTRAINT a_backlog_is_possible CHECK (((LEAST(ready, later, dead) >= 0) AND (GREATEST(ready, later, dead) <= '1000000000000'::bigint))),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(counted_at, last_due) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(counted_at, last_due) <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
)
WITH (fillfactor='50');

CREATE TABLE public.calls (
    started_at timestamp with time zone NOT NULL,
    took real,
    worker integer NOT NULL,
    subjects integer NOT NULL,
    lane smallint NOT NULL,
    outcome public.call_outcome NOT NULL,
    job bigint,
    reason text
)
PARTITION BY RANGE (started_at);

CREATE TABLE public.calls_default (
    started_at timestamp with time zone NOT NULL,
    took real,
    worker integer NOT NULL,
    subjects integer NOT NULL,
    lane smallint NOT NULL,
    outcome public.call_outcome NOT NULL,
    job bigint,
    reason text
);

CREATE TABLE public.chains (
    id integer NOT NULL,
    name text NOT NULL,
    is_current boolean DEFAULT true NOT NULL,
    plan jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT a_chain_has_links CHECK ((jsonb_array_length((plan -> 'links'::text)) > 0))
);

ALTER TABLE public.chains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.chains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.clock_steps (
    epoch integer NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    size interval NOT NULL,
    rate double precision DEFAULT 0 NOT NULL,
    CONSTRAINT moments_have_a_date CHECK (((noticed_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (noticed_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);

CREATE TABLE public.coordinators (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    heard_since timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE public.coordinators ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.coordinators_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.countries (
    code text NOT NULL,
    alpha3 text NOT NULL,
    number smallint NOT NULL,
    name text NOT NULL,
    CONSTRAINT a_country_code_is_two_capitals CHECK ((code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT a_long_country_code_is_three_capitals CHECK ((alpha3 ~ '^[A-Z]{3}$'::text))
);

CREATE TABLE public.dead_jobs (
    id bigint NOT NULL,
    lane smallint NOT NULL,
    priority smallint NOT NULL,
    failures smallint NOT NULL,
    losses smallint NOT NULL,
    subjects bigint[] NOT NULL,
    history jsonb,
    reason text NOT NULL,
    died_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT moments_have_a_date CHECK (((died_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (died_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);

CREATE TABLE public.decisions (
    id bigint NOT NULL,
    geocode bigint NOT NULL,
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL
);

ALTER TABLE public.decisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.file_runs (
    id bigint NOT NULL,
    account integer NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    settings text[] NOT NULL,
    file bytea NOT NULL,
    contacts integer NOT NULL,
    refused integer NOT NULL,
    pinned integer NOT NULL,
    hashes bytea[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    notify text,
    notify_secret bytea,
    notify_at timestamp with time zone,
    notify_failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT a_digest_is_a_sha256 CHECK ((octet_length(digest) = 32)),
    CONSTRAINT a_file_has_at_most_32_mebibytes CHECK ((octet_length(file) <= 33554432)),
    CONSTRAINT a_file_name_is_short CHECK ((length(name) <= 200)),
    CONSTRAINT a_webhook_of_a_file_is_signed CHECK (((notify IS NULL) = (notify_secret IS NULL)))
);

ALTER TABLE public.file_runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.file_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.fixes (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision DEFAULT 0 NOT NULL,
    is_doubted boolean DEFAULT false NOT NULL,
    CONSTRAINT a_fix_is_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision))),
    CONSTRAINT an_accuracy_is_not_negative CHECK (((accuracy >= (0)::double precision) AND (accuracy < 'Infinity'::double precision)))
)
PARTITION BY RANGE (at);

CREATE TABLE public.fixes_default (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision DEFAULT 0 NOT NULL,
    is_doubted boolean DEFAULT false NOT NULL,
    CONSTRAINT a_fix_is_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision))),
    CONSTRAINT an_accuracy_is_not_negative CHECK (((accuracy >= (0)::double precision) AND (accuracy < 'Infinity'::double precision)))
);

CREATE TABLE public.friend_tallies (
    account integer NOT NULL,
    friends bigint NOT NULL,
    changes bigint NOT NULL
);

ALTER TABLE public.friends ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.friends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.gateway_minutes (
    minute timestamp with time zone NOT NULL,
    account integer NOT NULL,
    token integer NOT NULL,
    process bigint NOT NULL,
    name text NOT NULL,
    local integer NOT NULL,
    cache integer NOT NULL,
    call integer NOT NULL,
    waiting integer NOT NULL,
    missed integer NOT NULL,
    refused integer NOT NULL,
    durations integer[] NOT NULL,
    CONSTRAINT durations_have_20_classes CHECK ((cardinality(durations) = 20))
)
WITH (fillfactor='50');

CREATE TABLE public.geocodes (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    region text NOT NULL,
    postcode text NOT NULL,
    country text NOT NULL,
    status public.geocode_status DEFAULT 'waiting'::public.geocode_status NOT NULL,
    job bigint,
    latitude double precision,
    longitude double precision,
    "precision" text,
    placemark jsonb,
    provider text,
    reason text,
    geocoded_at timestamp with time zone,
    expires_at timestamp with time zone,
    chain integer DEFAULT public.default_chain() NOT NULL,
    link smallint DEFAULT 0 NOT NULL,
    step text,
    candidates jsonb,
    trail jsonb,
    confidence real,
    at_latitude double precision,
    at_longitude double precision,
    shared_from bigint,
    is_lent boolean DEFAULT false NOT NULL,
    pinned_at timestamp with time zone,
    account integer,
    is_weak boolean DEFAULT false NOT NULL,
    loose_key bigint,
    follows boolean DEFAULT false NOT NULL,
    shadow_of bigint,
    ask_again_at timestamp with time zone,
    CONSTRAINT a_coordinate_is_asked_for_whole CHECK (((at_latitude IS NULL) = (at_longitude IS NULL))),
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT a_pin_has_an_account CHECK (((provider <> 'contact'::text) OR (account IS NOT NULL))),
    CONSTRAINT confidence_is_a_share CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT coordinates_are_on_earth CHECK ((((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (((status = 'located'::public.geocode_status) = ((latitude IS NOT NULL) AND (longitude IS NOT NULL) AND ("precision" IS NOT NULL)))),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(geocoded_at, expires_at, pinned_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(geocoded_at, expires_at, pinned_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT only_answers_expire CHECK (((expires_at IS NULL) OR (status <> ALL (ARRAY['waiting'::public.geocode_status, 'forgotten'::public.geocode_status])))),
    CONSTRAINT only_what_is_located_is_weak CHECK (((NOT is_weak) OR (status = 'located'::public.geocode_status))),
    CONSTRAINT only_what_waits_has_a_job CHECK (((job IS NULL) OR (status = 'waiting'::public.geocode_status))),
    CONSTRAINT precision_is_known CHECK (("precision" = ANY (ARRAY['rooftop'::text, 'interpolated'::text, 'street'::text, 'postcode'::text, 'city'::text, 'region'::text, 'country'::text]))),
    CONSTRAINT what_a_person_pinned_does_not_expire CHECK (((pinned_at IS NULL) OR (expires_at IS NULL))),
    CONSTRAINT what_failed_has_a_reason CHECK (((status <> 'failed'::public.geocode_status) OR (reason IS NOT NULL))),
    CONSTRAINT what_needs_review_has_candidates CHECK (((status <> 'needs_review'::public.geocode_status) OR (candidates IS NOT NULL))),
    CONSTRAINT who_follows_waits_in_no_job CHECK (((NOT follows) OR ((status = 'waiting'::public.geocode_status) AND (job IS NULL) AND (loose_key IS NOT NULL))))
)
WITH (fillfactor='40');

ALTER TABLE public.geocodes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.geocodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.home_database (
    only_row boolean DEFAULT true NOT NULL,
    server bigint,
    database oid NOT NULL,
    CONSTRAINT there_is_one_home CHECK (only_row)
);

CREATE TABLE public.idempotency_keys (
    account integer NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    status smallint NOT NULL,
    headers text[] NOT NULL,
    body bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(request_hash) = 32)),
    CONSTRAINT a_kept_body_is_at_most_a_mebibyte CHECK ((octet_length(body) <= 1048576)),
    CONSTRAINT a_key_is_short CHECK (((length(key) >= 1) AND (length(key) <= 255))),
    CONSTRAINT a_status_is_one_of_http CHECK (((status >= 100) AND (status <= 599)))
);

CREATE TABLE public.import_batches (
    import integer NOT NULL,
    first integer NOT NULL,
    contacts integer NOT NULL,
    added integer NOT NULL,
    changed integer NOT NULL,
    unchanged integer NOT NULL,
    addresses integer NOT NULL,
    questions integer NOT NULL,
    friends bigint[]
);

ALTER TABLE ONLY public.import_batches ALTER COLUMN friends SET STORAGE EXTERNAL;

CREATE TABLE public.imports (
    id integer NOT NULL,
    account integer NOT NULL,
    feed text NOT NULL,
    fingerprint text NOT NULL,
    is_complete boolean NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    contacts integer DEFAULT 0 NOT NULL,
    added integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    addresses integer DEFAULT 0 NOT NULL,
    questions integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT a_feed_is_in_the_form_nfc CHECK ((feed IS NFC NORMALIZED))
);

ALTER TABLE public.imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.lanes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lanes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.leadership (
    only_row boolean DEFAULT true NOT NULL,
    coordinator integer DEFAULT 0 NOT NULL,
    term bigint DEFAULT 0 NOT NULL,
    until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT there_is_one_leader CHECK (only_row)
)
WITH (fillfactor='10');

CREATE SEQUENCE public.leases START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE public.pending_locations (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision NOT NULL,
    uploaded boolean DEFAULT false NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    refusal text,
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision)))
)
PARTITION BY RANGE (at);

CREATE TABLE public.pending_locations_default (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision NOT NULL,
    uploaded boolean DEFAULT false NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    refusal text,
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision)))
);

CREATE TABLE public.point_areas (
    point_set integer NOT NULL,
    id integer NOT NULL,
    osm_id bigint NOT NULL,
    parent integer,
    level smallint NOT NULL,
    is_town boolean NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    latitude integer NOT NULL,
    longitude integer NOT NULL
)
PARTITION BY LIST (point_set);

CREATE TABLE public.point_cells (
    point_set integer NOT NULL,
    cell bigint NOT NULL,
    depth smallint NOT NULL,
    inside integer[] NOT NULL,
    edge bytea NOT NULL
)
PARTITION BY LIST (point_set);

CREATE TABLE public.point_places (
    point_set integer NOT NULL,
    town_key bigint NOT NULL,
    area_id integer,
    kind smallint NOT NULL,
    name text NOT NULL,
    city text NOT NULL,
    region text NOT NULL,
    country text NOT NULL,
    latitude integer NOT NULL,
    longitude integer NOT NULL,
    area box
)
PARTITION BY LIST (point_set);

CREATE TABLE public.point_sets (
    id integer NOT NULL,
    name text NOT NULL,
    is_current boolean DEFAULT false NOT NULL,
    attribution text DEFAULT ''::text NOT NULL,
    licence text DEFAULT ''::text NOT NULL,
    countries text[] DEFAULT '{}'::text[] NOT NULL,
    points bigint DEFAULT 0 NOT NULL,
    streets bigint DEFAULT 0 NOT NULL,
    loaded_at timestamp with time zone,
    dropped_at timestamp with time zone,
    is_region boolean DEFAULT false NOT NULL,
    areas bigint DEFAULT 0 NOT NULL,
    CONSTRAINT a_current_set_is_loaded CHECK (((NOT is_current) OR (loaded_at IS NOT NULL)))
);

ALTER TABLE public.point_sets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.point_sets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.point_streets (
    town_key bigint,
    district_key bigint,
    postcode_key bigint,
    point_set integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    street text NOT NULL,
    city text NOT NULL,
    district text NOT NULL,
    region text NOT NULL,
    postcode text NOT NULL,
    country text NOT NULL,
    numbers text[] NOT NULL COLLATE pg_catalog."C",
    latitudes integer[] NOT NULL,
    longitudes integer[] NOT NULL,
    area box NOT NULL,
    area_id integer,
    is_alias boolean DEFAULT false NOT NULL,
    is_interpolated boolean DEFAULT false NOT NULL,
    latitude integer,
    longitude integer,
    line bytea
)
PARTITION BY LIST (point_set);

CREATE TABLE public.refused_fixes (
    account integer NOT NULL,
    tracker integer,
    reason text NOT NULL,
    count bigint NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    recent bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    CONSTRAINT a_count_is_not_zero CHECK ((count > 0))
);

CREATE TABLE public.relayed_replies (
    id bigint DEFAULT nextval('public.geocodes_id_seq'::regclass) NOT NULL,
    hash bytea NOT NULL,
    request text NOT NULL,
    job bigint,
    reply bytea,
    expires_at timestamp with time zone,
    CONSTRAINT a_relay_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT a_reply_expires CHECK (((reply IS NULL) OR (expires_at IS NOT NULL)))
);

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    fingerprint text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    replaced_at timestamp with time zone
);

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    is_breaking boolean NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_objects (
    name text NOT NULL,
    digest text NOT NULL
);

CREATE TABLE public.schema_progress (
    migration integer NOT NULL,
    steps_done integer NOT NULL,
    last_id bigint NOT NULL
);

CREATE TABLE public.sessions (
    hash bytea NOT NULL,
    token integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT a_hash_has_256_bits CHECK ((octet_length(hash) = 32))
);

ALTER TABLE public.sign_ins ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sign_ins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sinks (
    id integer NOT NULL,
    account integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    lane smallint NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed bytea,
    signs_in boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    pause interval DEFAULT '00:00:05'::interval NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    about text DEFAULT 'locations'::text NOT NULL,
    job bigint,
    told_in bigint DEFAULT 0 NOT NULL,
    noticed_at timestamp with time zone,
    CONSTRAINT a_pause_is_not_negative CHECK ((pause >= '00:00:00'::interval)),
    CONSTRAINT a_sink_has_a_known_subject CHECK ((about = ANY (ARRAY['locations'::text, 'places'::text]))),
    CONSTRAINT a_sink_is_of_a_known_kind CHECK ((kind = ANY (ARRAY['firestore'::text, 'webhook'::text, 'file'::text, 'table'::text]))),
    CONSTRAINT a_sink_name_is_short CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'::text)),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(changed_at, noticed_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(changed_at, noticed_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT only_a_webhook_tells_of_places CHECK (((about = 'locations'::text) OR ((kind = 'webhook'::text) AND (NOT is_default))))
);

ALTER TABLE public.sinks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sinks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.sleepers (
    lane smallint NOT NULL,
    until timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.throughput (
    minute timestamp with time zone NOT NULL,
    lane smallint NOT NULL,
    worker integer NOT NULL,
    calls integer NOT NULL,
    subjects bigint NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    voided integer DEFAULT 0 NOT NULL,
    late integer DEFAULT 0 NOT NULL,
    slipped integer DEFAULT 0 NOT NULL,
    retried integer DEFAULT 0 NOT NULL,
    limited integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    lost integer DEFAULT 0 NOT NULL,
    follow_ups integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.tokens (
    id integer NOT NULL,
    account integer NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    user_id text,
    wait_at_most interval,
    when_late text,
    when_left text,
    relays boolean DEFAULT false NOT NULL,
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT a_token_has_a_name CHECK ((name <> ''::text)),
    CONSTRAINT a_token_of_one_user_is_for_positions CHECK (((user_id IS NULL) OR (((length(user_id) >= 1) AND (length(user_id) <= 200)) AND (scopes <@ '{track,locate}'::text[])))),
    CONSTRAINT a_token_to_geocode_is_for_nothing_else CHECK (((NOT ('geocode'::text = ANY (scopes))) OR (scopes = '{geocode}'::text[]))),
    CONSTRAINT a_user_id_is_in_the_form_nfc CHECK ((user_id IS NFC NORMALIZED)),
    CONSTRAINT a_wait_is_short CHECK (((wait_at_most >= '00:00:00'::interval) AND (wait_at_most <= '00:00:30'::interval))),
    CONSTRAINT late_is_known CHECK ((when_late = ANY (ARRAY['coarse'::text, 'retry'::text]))),
    CONSTRAINT left_is_known CHECK ((when_left = ANY (ARRAY['keep'::text, 'drop'::text]))),
    CONSTRAINT only_a_token_to_geocode_relays CHECK (((NOT relays) OR (scopes = '{geocode}'::text[]))),
    CONSTRAINT only_a_token_to_geocode_waits CHECK ((num_nulls(wait_at_most, when_late, when_left) =
CASE
    WHEN (scopes = '{geocode}'::text[]) THEN 0
    ELSE 3
END)),
    CONSTRAINT scopes_are_known CHECK (((scopes <@ '{read,write,admin,track,locate,geocode}'::text[]) AND (scopes <> '{}'::text[])))
);

ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.trackers (
    id integer NOT NULL,
    account integer NOT NULL,
    user_id text NOT NULL,
    is_on boolean DEFAULT false NOT NULL,
    on_times tstzmultirange DEFAULT '{}'::tstzmultirange NOT NULL,
    radius double precision DEFAULT 50 NOT NULL,
    top_speed double precision DEFAULT 350 NOT NULL,
    keeps_doubted boolean DEFAULT true NOT NULL,
    newest_at timestamp with time zone,
    newest_id text COLLATE pg_catalog."C",
    seen_at timestamp with time zone,
    seen_lat double precision,
    seen_lng double precision,
    seen_accuracy double precision,
    seen_wait double precision,
    start_at timestamp with time zone,
    start_id text COLLATE pg_catalog."C",
    start_lat double precision,
    start_lng double precision,
    start_accuracy double precision,
    wait_time double precision,
    sink integer,
    newest_first boolean DEFAULT false NOT NULL,
    job bigint,
    uploaded_at timestamp with time zone,
    piece integer,
    longest_gap double precision DEFAULT 43200 NOT NULL,
    stops timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    settled_at timestamp with time zone,
    settled_id text COLLATE pg_catalog."C",
    CONSTRAINT a_gap_is_some_seconds CHECK (((longest_gap >= (60)::double precision) AND (longest_gap <= (31622400)::double precision))),
    CONSTRAINT a_radius_is_some_metres CHECK (((radius >= (1)::double precision) AND (radius <= (10000)::double precision))),
    CONSTRAINT a_top_speed_is_possible CHECK (((top_speed >= (1)::double precision) AND (top_speed <= (30000000)::double precision))),
    CONSTRAINT a_tracker_is_on_until_it_is_stopped CHECK ((is_on = ((NOT isempty(on_times)) AND upper_inf(on_times)))),
    CONSTRAINT a_user_id_is_in_the_form_nfc CHECK ((user_id IS NFC NORMALIZED)),
    CONSTRAINT a_user_id_is_short CHECK (((length(user_id) >= 1) AND (length(user_id) <= 200))),
    CONSTRAINT moments_have_a_date CHECK (((LEAST(newest_at, seen_at, start_at, uploaded_at, settled_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(newest_at, seen_at, start_at, uploaded_at, settled_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT periods_have_a_date CHECK (((NOT lower_inf(on_times)) AND (lower(on_times) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (COALESCE(upper(on_times), '0001-01-01 00:00:00+00'::timestamp with time zone) <= '9999-12-31 00:00:00+00'::timestamp with time zone) AND ('0001-01-01 00:00:00+00'::timestamp with time zone <= ALL (stops)) AND ('9999-12-31 00:00:00+00'::timestamp with time zone >= ALL (stops))))
)
WITH (fillfactor='50');

ALTER TABLE public.trackers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.trackers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.unqueued_geocodes (
    geocode bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.unsettled_geocodes (
    geocode bigint NOT NULL
);

CREATE TABLE public.workers (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    quiet boolean DEFAULT false NOT NULL,
    lanes text[] DEFAULT '{}'::text[] NOT NULL,
    memory bigint
)
WITH (fillfactor='50');

ALTER TABLE public.workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE ONLY public.calls ATTACH PARTITION public.calls_default DEFAULT;
ALTER TABLE ONLY public.fixes ATTACH PARTITION public.fixes_default DEFAULT;
ALTER TABLE ONLY public.pending_locations ATTACH PARTITION public.pending_locations_default DEFAULT;
ALTER TABLE public.calls ADD CONSTRAINT a_call_takes_some_time CHECK (((took >= (0)::double precision) AND (took < 'Infinity'::real))) NOT VALID;
ALTER TABLE ONLY public.fixes ADD CONSTRAINT a_fix_comes_once PRIMARY KEY (tracker, at, id);
ALTER TABLE ONLY public.addresses ADD CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, "position");
ALTER TABLE ONLY public.token_buckets ADD CONSTRAINT a_lane_has_one_limit_for_a_time PRIMARY KEY (lane, per);
ALTER TABLE ONLY public.pending_locations ADD CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id);
ALTER TABLE public.pending_locations ADD CONSTRAINT a_location_is_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))) NOT VALID;
ALTER TABLE ONLY public.refused_fixes ADD CONSTRAINT a_reason_is_counted_once UNIQUE NULLS NOT DISTINCT (tracker, account, reason);
ALTER TABLE ONLY public.friends ADD CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key);
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT a_tracker_signs_in_once UNIQUE NULLS NOT DISTINCT (sink, tracker);
ALTER TABLE ONLY public.trackers ADD CONSTRAINT a_user_has_one_tracker UNIQUE (account, user_id);
ALTER TABLE ONLY public.accounts ADD CONSTRAINT accounts_name_key UNIQUE (name);
ALTER TABLE ONLY public.accounts ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.addresses ADD CONSTRAINT addresses_pkey PRIMARY KEY (id);
ALTER TABLE public.pending_locations ADD CONSTRAINT an_accuracy_is_not_negative CHECK (((accuracy >= (0)::double precision) AND (accuracy < 'Infinity'::double precision))) NOT VALID;
ALTER TABLE ONLY public.audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.backlogs ADD CONSTRAINT backlogs_pkey PRIMARY KEY (lane);
ALTER TABLE ONLY public.chains ADD CONSTRAINT chains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clock_steps ADD CONSTRAINT clock_steps_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY public.coordinators ADD CONSTRAINT coordinators_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.countries ADD CONSTRAINT countries_alpha3_key UNIQUE (alpha3);
ALTER TABLE ONLY public.countries ADD CONSTRAINT countries_number_key UNIQUE (number);
ALTER TABLE ONLY public.countries ADD CONSTRAINT countries_pkey PRIMARY KEY (code);
ALTER TABLE ONLY public.dead_jobs ADD CONSTRAINT dead_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.file_runs ADD CONSTRAINT file_runs_account_digest_key UNIQUE (account, digest);
ALTER TABLE ONLY public.file_runs ADD CONSTRAINT file_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fixes_default ADD CONSTRAINT fixes_default_pkey PRIMARY KEY (tracker, at, id);
ALTER TABLE ONLY public.followed_calls ADD CONSTRAINT followed_calls_pkey PRIMARY KEY (lane, chain, call_number);
ALTER TABLE ONLY public.friends ADD CONSTRAINT friends_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.gateway_minutes ADD CONSTRAINT gateway_minutes_pkey PRIMARY KEY (minute, account, token, process);
ALTER TABLE ONLY public.geocodes ADD CONSTRAINT geocodes_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.geocodes ADD CONSTRAINT geocodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.home_database ADD CONSTRAINT home_database_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account, key);
ALTER TABLE ONLY public.import_batches ADD CONSTRAINT import_batches_pkey PRIMARY KEY (import, first);
ALTER TABLE ONLY public.imports ADD CONSTRAINT imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.jobs ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lanes ADD CONSTRAINT lanes_name_key UNIQUE (name);
ALTER TABLE ONLY public.lanes ADD CONSTRAINT lanes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.leadership ADD CONSTRAINT leadership_pkey PRIMARY KEY (only_row);
ALTER TABLE public.calls ADD CONSTRAINT moments_have_a_date CHECK (((started_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (started_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))) NOT VALID;
ALTER TABLE public.fixes ADD CONSTRAINT moments_have_a_date CHECK (((at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (at <= '9999-12-31 00:00:00+00'::timestamp with time zone))) NOT VALID;
ALTER TABLE public.pending_locations ADD CONSTRAINT moments_have_a_date CHECK (((LEAST(at, changed_at) >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(at, changed_at) <= '9999-12-31 00:00:00+00'::timestamp with time zone))) NOT VALID;
ALTER TABLE public.throughput ADD CONSTRAINT moments_have_a_date CHECK (((minute >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (minute <= '9999-12-31 00:00:00+00'::timestamp with time zone))) NOT VALID;
ALTER TABLE ONLY public.pending_locations_default ADD CONSTRAINT pending_locations_default_pkey PRIMARY KEY (tracker, at, id);
ALTER TABLE ONLY public.point_sets ADD CONSTRAINT point_sets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.relayed_replies ADD CONSTRAINT relayed_replies_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.relayed_replies ADD CONSTRAINT relayed_replies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_functions ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name, fingerprint);
ALTER TABLE ONLY public.schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.schema_objects ADD CONSTRAINT schema_objects_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.schema_progress ADD CONSTRAINT schema_progress_pkey PRIMARY KEY (migration);
ALTER TABLE ONLY public.server_clock ADD CONSTRAINT server_clock_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sinks ADD CONSTRAINT sinks_lane_key UNIQUE (lane);
ALTER TABLE ONLY public.sinks ADD CONSTRAINT sinks_name_key UNIQUE (name);
ALTER TABLE ONLY public.sinks ADD CONSTRAINT sinks_pkey PRIMARY KEY (id);
ALTER TABLE public.throughput ADD CONSTRAINT subjects_are_counted CHECK (((subjects >= 0) AND (subjects <= '1000000000000000'::bigint))) NOT VALID;
ALTER TABLE ONLY public.throughput ADD CONSTRAINT throughput_pkey PRIMARY KEY (minute, lane, worker);
ALTER TABLE ONLY public.tokens ADD CONSTRAINT tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.tokens ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.trackers ADD CONSTRAINT trackers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workers ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX address_tallies_of_an_account ON public.address_tallies USING btree (account);
CREATE INDEX addresses_by_change ON public.addresses USING btree (owner, updated_at, id);
CREATE INDEX addresses_by_country ON public.addresses USING btree (owner, country_code, friend);
CREATE INDEX addresses_by_creation ON public.addresses USING btree (owner, created_at, id);
CREATE INDEX addresses_by_hash ON public.addresses USING btree (hash);
CREATE INDEX addresses_by_label ON public.addresses USING btree (owner, label, friend);
CREATE INDEX addresses_by_status ON public.addresses USING btree (owner, place_status, friend);
CREATE INDEX addresses_by_transaction ON public.addresses USING btree (owner, changed_in, friend);
CREATE INDEX addresses_on_the_map ON public.addresses USING btree (owner, map_key) WHERE (map_key IS NOT NULL);
CREATE INDEX addresses_unhashed ON public.addresses USING btree (id) WHERE (hash IS NULL);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON public.sinks USING btree (account) WHERE is_default;

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at);
CREATE INDEX calls_by_time ON ONLY public.calls USING brin (started_at) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX calls_default_started_at_idx ON public.calls_default USING brin (started_at) WITH (pages_per_range='16', autosummarize='on');

CREATE UNIQUE INDEX chains_current ON public.chains USING btree (name) WHERE is_current;

CREATE INDEX dead_jobs_by_lane ON public.dead_jobs USING btree (lane);
CREATE INDEX dead_jobs_by_time ON public.dead_jobs USING btree (died_at);
CREATE INDEX decisions_by_geocode ON public.decisions USING btree (geocode, id);
CREATE INDEX decisions_by_time ON public.decisions USING btree (decided_at);
CREATE INDEX friend_tallies_of_an_account ON public.friend_tallies USING btree (account);
CREATE INDEX friends_by_change ON public.friends USING btree (account, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX friends_by_creation ON public.friends USING btree (account, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX friends_by_feed ON public.friends USING btree (account, feed, id) WHERE (deleted_at IS NULL);
CREATE INDEX friends_by_names ON public.friends USING gin (public.names_of_friend(name, first_name, last_name, nickname) public.gin_trgm_ops) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NULL);
CREATE INDEX friends_by_transaction ON public.friends USING btree (account, changed_in, id);
CREATE INDEX friends_deleted ON public.friends USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX friends_of_an_account ON public.friends USING btree (account, id) WHERE (deleted_at IS NULL);
CREATE INDEX geocodes_by_loose_key ON public.geocodes USING btree (loose_key) WHERE (loose_key IS NOT NULL);
CREATE INDEX geocodes_expiring ON public.geocodes USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX geocodes_following ON public.geocodes USING btree (loose_key) WHERE follows;
CREATE INDEX geocodes_provisional ON public.geocodes USING btree (ask_again_at) WHERE (ask_again_at IS NOT NULL);

CREATE UNIQUE INDEX geocodes_shadows ON public.geocodes USING btree (shadow_of) WHERE (shadow_of IS NOT NULL);

CREATE INDEX geocodes_with_candidates ON public.geocodes USING btree (id) WHERE (candidates IS NOT NULL);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (account, created_at);

CREATE UNIQUE INDEX imports_unfinished ON public.imports USING btree (account, feed) WHERE (finished_at IS NULL);

CREATE INDEX jobs_held ON public.jobs USING btree (lane, worker) WHERE (worker IS NOT NULL);
CREATE INDEX jobs_ready ON public.jobs USING btree (lane, priority, run_at, id) WHERE (worker IS NULL);
CREATE INDEX pending_locations_due ON ONLY public.pending_locations USING btree (tracker, at, id) WHERE ((NOT uploaded) AND (refusal IS NULL));
CREATE INDEX pending_locations_default_tracker_at_id_idx ON public.pending_locations_default USING btree (tracker, at, id) WHERE ((NOT uploaded) AND (refusal IS NULL));
CREATE INDEX pending_locations_refused ON ONLY public.pending_locations USING btree (tracker, at, id) WHERE (refusal IS NOT NULL);
CREATE INDEX pending_locations_default_tracker_at_id_idx1 ON public.pending_locations_default USING btree (tracker, at, id) WHERE (refusal IS NOT NULL);

CREATE UNIQUE INDEX point_areas_by_id ON ONLY public.point_areas USING btree (point_set, id);
CREATE UNIQUE INDEX point_cells_in_order ON ONLY public.point_cells USING btree (point_set, cell);

CREATE INDEX point_places_by_area ON ONLY public.point_places USING gist (area);
CREATE INDEX point_places_by_name ON ONLY public.point_places USING btree (town_key, point_set);

CREATE UNIQUE INDEX point_sets_current ON public.point_sets USING btree (name) WHERE is_current;

CREATE INDEX point_streets_by_area ON ONLY public.point_streets USING gist (area);
CREATE INDEX point_streets_by_district ON ONLY public.point_streets USING btree (district_key, name, point_set) WHERE (district_key IS NOT NULL);
CREATE INDEX point_streets_by_postcode ON ONLY public.point_streets USING btree (postcode_key, name, point_set);
CREATE INDEX point_streets_by_town ON ONLY public.point_streets USING btree (town_key, name, point_set);
CREATE INDEX relayed_replies_expiring ON public.relayed_replies USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX sessions_by_end ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_token ON public.sessions USING btree (token);
CREATE INDEX sleepers_by_lane ON public.sleepers USING btree (lane, until);
CREATE INDEX trackers_by_sink ON public.trackers USING btree (sink) WHERE (sink IS NOT NULL);

ALTER INDEX public.calls_by_time ATTACH PARTITION public.calls_default_started_at_idx;
ALTER INDEX public.a_fix_comes_once ATTACH PARTITION public.fixes_default_pkey;
ALTER INDEX public.a_location_begins_with_a_fix ATTACH PARTITION public.pending_locations_default_pkey;
ALTER INDEX public.pending_locations_due ATTACH PARTITION public.pending_locations_default_tracker_at_id_idx;
ALTER INDEX public.pending_locations_refused ATTACH PARTITION public.pending_locations_default_tracker_at_id_idx1;

CREATE STATISTICS public.names_of_friends ON public.names_of_friend(name, first_name, last_name, nickname) FROM public.friends;

CREATE TRIGGER address_changed_in BEFORE UPDATE ON public.addresses FOR EACH ROW WHEN (((new.changed_in = old.changed_in) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.set_changed_in();
CREATE TRIGGER address_hash BEFORE UPDATE OF street, city, region, postcode, country ON public.addresses FOR EACH ROW WHEN (((((((old.street IS DISTINCT FROM new.street) OR (old.city IS DISTINCT FROM new.city)) OR (old.region IS DISTINCT FROM new.region)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.country IS DISTINCT FROM new.country)) AND (NOT (new.hash IS DISTINCT FROM old.hash)))) EXECUTE FUNCTION public.clear_address_hash();
CREATE TRIGGER address_moved AFTER UPDATE OF friend ON public.addresses FOR EACH ROW WHEN ((new.friend <> old.friend)) EXECUTE FUNCTION public.note_moved_address();
CREATE TRIGGER address_owner_changed BEFORE UPDATE OF friend ON public.addresses FOR EACH ROW WHEN ((new.friend <> old.friend)) EXECUTE FUNCTION public.set_address_owner();
CREATE TRIGGER address_owner_set BEFORE INSERT ON public.addresses FOR EACH ROW WHEN ((new.owner IS NULL)) EXECUTE FUNCTION public.set_address_owner();
CREATE TRIGGER address_updated_at BEFORE UPDATE ON public.addresses FOR EACH ROW WHEN (((new.updated_at = old.updated_at) AND ((((((((old.friend IS DISTINCT FROM new.friend) OR (old."position" IS DISTINCT FROM new."position")) OR (old.label IS DISTINCT FROM new.label)) OR (old.street IS DISTINCT FROM new.street)) OR (old.city IS DISTINCT FROM new.city)) OR (old.region IS DISTINCT FROM new.region)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.country IS DISTINCT FROM new.country)))) EXECUTE FUNCTION public.set_updated_at();
CREATE TRIGGER addresses_added AFTER INSERT ON public.addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_added();
CREATE TRIGGER addresses_changed AFTER UPDATE ON public.addresses REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_changed();
CREATE TRIGGER addresses_removed AFTER DELETE ON public.addresses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_removed();
CREATE TRIGGER addresses_removed_friends AFTER DELETE ON public.addresses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.note_removed_addresses();
CREATE TRIGGER friend_account_changed AFTER UPDATE OF account ON public.friends FOR EACH ROW WHEN ((new.account <> old.account)) EXECUTE FUNCTION public.move_friend_addresses();
CREATE TRIGGER friend_changed_in BEFORE UPDATE ON public.friends FOR EACH ROW WHEN (((new.changed_in = old.changed_in) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.set_changed_in();
CREATE TRIGGER friend_removed BEFORE DELETE ON public.friends FOR EACH ROW WHEN ((old.deleted_at IS NULL)) EXECUTE FUNCTION public.remove_friend_addresses();
CREATE TRIGGER friend_updated_at BEFORE UPDATE ON public.friends FOR EACH ROW WHEN (((new.updated_at = old.updated_at) AND ((((((((old.account IS DISTINCT FROM new.account) OR (old.source_key IS DISTINCT FROM new.source_key)) OR (old.name IS DISTINCT FROM new.name)) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.nickname IS DISTINCT FROM new.nickname)) OR (old.feed IS DISTINCT FROM new.feed)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION public.set_updated_at();
CREATE TRIGGER friends_added AFTER INSERT ON public.friends REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.friends_added();
CREATE TRIGGER friends_changed AFTER UPDATE ON public.friends REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.friends_changed();
CREATE TRIGGER friends_purged AFTER DELETE ON public.friends REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.note_purged_friends();
CREATE TRIGGER friends_removed AFTER DELETE ON public.friends REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.friends_removed();
CREATE TRIGGER geocode_added_unqueued AFTER INSERT ON public.geocodes FOR EACH ROW WHEN (((new.status = 'waiting'::public.geocode_status) AND (new.job IS NULL) AND (NOT new.follows))) EXECUTE FUNCTION public.note_unqueued_geocode();
CREATE TRIGGER geocode_unqueued AFTER UPDATE OF status, job, follows ON public.geocodes FOR EACH ROW WHEN (((new.status = 'waiting'::public.geocode_status) AND (new.job IS NULL) AND (NOT new.follows))) EXECUTE FUNCTION public.note_unqueued_geocode();
CREATE TRIGGER geocodes_changed AFTER UPDATE ON public.geocodes REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.geocodes_changed();
CREATE TRIGGER geocodes_removed AFTER DELETE ON public.geocodes REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.forget_decisions();

CREATE CONSTRAINT TRIGGER jobs_enqueued AFTER INSERT ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.wakes) EXECUTE FUNCTION public.wake_sleepers();

CREATE TRIGGER shadow_ended AFTER UPDATE OF status ON public.geocodes FOR EACH ROW WHEN (((new.shadow_of IS NOT NULL) AND (new.status <> 'waiting'::public.geocode_status))) EXECUTE FUNCTION public.drop_ended_shadow();

ALTER TABLE ONLY public.addresses ADD CONSTRAINT addresses_friend_fkey FOREIGN KEY (friend) REFERENCES public.friends(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.addresses ADD CONSTRAINT addresses_hash_fkey FOREIGN KEY (hash) REFERENCES public.geocodes(hash);
ALTER TABLE ONLY public.backlogs ADD CONSTRAINT backlogs_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.file_runs ADD CONSTRAINT file_runs_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.followed_calls ADD CONSTRAINT followed_calls_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.friends ADD CONSTRAINT friends_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.idempotency_keys ADD CONSTRAINT idempotency_keys_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.import_batches ADD CONSTRAINT import_batches_import_fkey FOREIGN KEY (import) REFERENCES public.imports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.imports ADD CONSTRAINT imports_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.refused_fixes ADD CONSTRAINT refused_fixes_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refused_fixes ADD CONSTRAINT refused_fixes_tracker_fkey FOREIGN KEY (tracker) REFERENCES public.trackers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_token_fkey FOREIGN KEY (token) REFERENCES public.tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT sign_ins_sink_fkey FOREIGN KEY (sink) REFERENCES public.sinks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT sign_ins_tracker_fkey FOREIGN KEY (tracker) REFERENCES public.trackers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sinks ADD CONSTRAINT sinks_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.sinks ADD CONSTRAINT sinks_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id);
ALTER TABLE ONLY public.token_buckets ADD CONSTRAINT token_buckets_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens ADD CONSTRAINT tokens_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.trackers ADD CONSTRAINT trackers_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.trackers ADD CONSTRAINT trackers_sink_fkey FOREIGN KEY (sink) REFERENCES public.sinks(id);
ALTER TABLE public.accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.address_tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.addresses ENABLE ROW LEVEL SECURITY;

CREATE POLICY answers_and_own_pins ON public.geocodes FOR SELECT USING ((((account IS NULL) OR (account = public.current_account())) AND (public.current_account() > 0)));
CREATE POLICY every_account ON public.accounts TO waypost_worker USING (true);
CREATE POLICY every_account ON public.address_tallies TO waypost_worker USING (true);
CREATE POLICY every_account ON public.addresses TO waypost_worker USING (true);
CREATE POLICY every_account ON public.file_runs TO waypost_worker USING (true);
CREATE POLICY every_account ON public.friends TO waypost_worker USING (true);
CREATE POLICY every_account ON public.gateway_minutes TO waypost_worker, waypost_report USING (true);
CREATE POLICY every_account ON public.geocodes TO waypost_worker, waypost_report USING (true);
CREATE POLICY every_account ON public.pending_locations TO waypost_worker USING (true);
CREATE POLICY every_account ON public.sign_ins TO waypost_worker USING (true);
CREATE POLICY every_account ON public.sinks TO waypost_worker USING (true);
CREATE POLICY every_account ON public.trackers TO waypost_worker USING (true);
CREATE POLICY every_answer ON public.geocodes TO waypost_admin USING (true);

ALTER TABLE public.file_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.fixes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.fixes_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.friend_tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.friends ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.gateway_minutes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.geocodes ENABLE ROW LEVEL SECURITY;

CREATE POLICY good_tokens ON public.tokens FOR UPDATE TO waypost_admin USING (((account = public.current_account()) AND (revoked_at IS NULL))) WITH CHECK ((revoked_at IS NOT NULL));

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.import_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.imports ENABLE ROW LEVEL SECURITY;

CREATE POLICY new_questions_and_own_pins ON public.geocodes FOR INSERT WITH CHECK (
CASE
    WHEN (shadow_of IS NOT NULL) THEN false
    WHEN (account IS NOT NULL) THEN (account = public.current_account())
    WHEN ((public.current_account() IS NULL) OR (public.current_account() <= 0) OR (pinned_at IS NOT NULL) OR (candidates IS NOT NULL)) THEN false
    WHEN (status = 'waiting'::public.geocode_status) THEN ((latitude IS NULL) AND (longitude IS NULL))
    ELSE ((status = 'located'::public.geocode_status) AND public.has_answer(shared_from, latitude, longitude, "precision", placemark, provider, is_weak, expires_at, is_lent))
END);
CREATE POLICY new_tokens ON public.tokens FOR INSERT TO waypost_admin WITH CHECK (((account = public.current_account()) AND (revoked_at IS NULL)));
CREATE POLICY only_removed_ones ON public.pending_locations AS RESTRICTIVE FOR DELETE TO waypost_worker USING (removed);
CREATE POLICY open_questions_and_own_pins ON public.geocodes FOR UPDATE USING (((account = public.current_account()) OR ((account IS NULL) AND (pinned_at IS NULL) AND (status = ANY (ARRAY['waiting'::public.geocode_status, 'forgotten'::public.geocode_status, 'not_found'::public.geocode_status, 'failed'::public.geocode_status])) AND (public.current_account() > 0)))) WITH CHECK (((account = public.current_account()) OR ((account IS NULL) AND (pinned_at IS NULL) AND (status = 'waiting'::public.geocode_status) AND (latitude IS NULL) AND (longitude IS NULL) AND (public.current_account() > 0))));
CREATE POLICY own_account ON public.accounts USING ((id = public.current_account()));
CREATE POLICY own_address_tallies ON public.address_tallies USING ((account = public.current_account()));
CREATE POLICY own_addresses ON public.addresses USING (((owner = public.current_account()) IS TRUE)) WITH CHECK (((owner = public.current_account()) AND (( SELECT friends.account FROM public.friends WHERE (friends.id = addresses.friend)) = public.current_account())));
CREATE POLICY own_batches ON public.import_batches USING ((( SELECT imports.account FROM public.imports WHERE (imports.id = import_batches.import)) = public.current_account()));
CREATE POLICY own_files ON public.file_runs USING ((account = public.current_account()));
CREATE POLICY own_fixes ON public.fixes USING ((account = public.current_account()));
CREATE POLICY own_friend_tallies ON public.friend_tallies USING ((account = public.current_account()));
CREATE POLICY own_friends ON public.friends USING (((account = public.current_account()) IS TRUE));
CREATE POLICY own_imports ON public.imports USING ((account = public.current_account()));
CREATE POLICY own_keys ON public.idempotency_keys USING ((account = public.current_account()));
CREATE POLICY own_locations ON public.pending_locations USING ((account = public.current_account()));
CREATE POLICY own_refusals ON public.refused_fixes USING ((account = public.current_account()));
CREATE POLICY own_sign_ins ON public.sign_ins USING ((account = public.current_account()));
CREATE POLICY own_sinks ON public.sinks USING ((account = public.current_account()));
CREATE POLICY own_tokens ON public.tokens FOR SELECT TO waypost_admin USING ((account = public.current_account()));
CREATE POLICY own_trackers ON public.trackers USING ((account = public.current_account()));
CREATE POLICY own_traffic ON public.gateway_minutes USING ((account = public.current_account()));

ALTER TABLE public.pending_locations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pending_locations_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.refused_fixes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sign_ins ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sinks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.trackers ENABLE ROW LEVEL SECURITY;
