-- The first schema, frozen. sql/tables has the present one, with comments.

CREATE TABLE lanes (
    id                   smallint    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name                 text        NOT NULL UNIQUE,
    batch                integer     NOT NULL DEFAULT 1,
    paused_at            timestamptz,
    blocked_until        timestamptz,
    blocked_because      text,
    calls_at_once        integer,
    calls_per_worker     integer,
    grace                interval    NOT NULL DEFAULT '10 milliseconds',
    call_limit           interval    NOT NULL DEFAULT '1 minute',
    most_failures        smallint    NOT NULL DEFAULT 5,
    first_retry          interval    NOT NULL DEFAULT '1 second',
    longest_retry        interval    NOT NULL DEFAULT '5 minutes',
    breaker_after        smallint    NOT NULL DEFAULT 5,
    faults               integer     NOT NULL DEFAULT 0,
    trips                integer     NOT NULL DEFAULT 0,
    pace                 real        NOT NULL DEFAULT 1,
    pace_changed_at      timestamptz,
    paused_because       text,
    limits_changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    attribution          text        NOT NULL DEFAULT '',
    price_per_1000_calls numeric,
    currency             text,
    spread               interval    NOT NULL DEFAULT '0',
    spread_before        interval    NOT NULL DEFAULT '0',
    spread_since         timestamptz NOT NULL DEFAULT 'epoch',
    well_at              timestamptz NOT NULL DEFAULT 'epoch',
    wary_until           timestamptz NOT NULL DEFAULT 'epoch',
    probes               integer     NOT NULL DEFAULT 0,
    probed_run_at        timestamptz,
    probed_id            bigint,
    CONSTRAINT a_call_carries_at_least_one_subject CHECK (batch >= 1),
    CONSTRAINT caps_permit_something CHECK (calls_at_once >= 1 AND calls_per_worker >= 1),
    CONSTRAINT grace_is_short CHECK (grace BETWEEN '0' AND '1 second'),
    CONSTRAINT a_call_has_time CHECK (call_limit > '0'),
    CONSTRAINT a_job_is_tried_at_least_once CHECK (most_failures >= 1),
    CONSTRAINT retries_have_a_wait CHECK (first_retry > '0' AND longest_retry >= first_retry),
    CONSTRAINT a_breaker_opens_after_a_fault CHECK (breaker_after >= 1 AND faults >= 0 AND trips >= 0),
    CONSTRAINT pace_is_a_share CHECK (pace BETWEEN 0.01 AND 1),
    CONSTRAINT a_block_has_a_reason CHECK ((blocked_until IS NULL) = (blocked_because IS NULL)),
    CONSTRAINT a_price_is_an_amount_of_a_currency CHECK ((price_per_1000_calls IS NULL) = (currency IS NULL)),
    CONSTRAINT a_price_is_not_negative CHECK (price_per_1000_calls >= 0 AND price_per_1000_calls < 'Infinity'),
    CONSTRAINT a_currency_is_three_capitals CHECK (currency ~ '^[A-Z]{3}$')
)
WITH (fillfactor = 50);

INSERT INTO lanes (name, batch, calls_per_worker) VALUES ('gazetteer', 500, 4);

CREATE TABLE token_buckets (
    lane     smallint         NOT NULL REFERENCES lanes ON DELETE CASCADE,
    per      interval         NOT NULL,
    refill   double precision NOT NULL,
    capacity double precision NOT NULL,
    full_at  timestamptz      NOT NULL DEFAULT now(),
    worker   integer,
    CONSTRAINT a_lane_has_one_limit_for_a_time PRIMARY KEY (lane, per),
    CONSTRAINT a_bucket_fills CHECK (refill > 0 AND per > '0'),
    CONSTRAINT a_bucket_holds_a_token CHECK (capacity >= 1)
)
WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE SEQUENCE leases;

CREATE TABLE jobs (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lease     bigint,
    run_at    timestamptz NOT NULL DEFAULT now(),
    starts_at timestamptz,
    worker    integer,
    lane      smallint    NOT NULL,
    priority  smallint    NOT NULL DEFAULT 1,
    failures  smallint    NOT NULL DEFAULT 0,
    losses    smallint    NOT NULL DEFAULT 0,
    subjects  bigint[]    NOT NULL,
    history   jsonb,
    wakes     boolean,
    CONSTRAINT a_held_job_has_a_worker_a_lease_and_a_slot CHECK (
        (worker IS NULL) = (lease IS NULL) AND (worker IS NULL) = (starts_at IS NULL)),
    CONSTRAINT priority_is_known CHECK (priority BETWEEN 0 AND 3),
    CONSTRAINT a_job_has_subjects CHECK (cardinality(subjects) > 0)
)
WITH (
    fillfactor = 100,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.5
);

CREATE INDEX jobs_ready ON jobs (lane, priority, run_at, id) WHERE worker IS NULL;

CREATE INDEX jobs_held ON jobs (lane, worker) WHERE worker IS NOT NULL;

CREATE TABLE dead_jobs (
    id       bigint      PRIMARY KEY,
    lane     smallint    NOT NULL,
    priority smallint    NOT NULL,
    failures smallint    NOT NULL,
    losses   smallint    NOT NULL,
    subjects bigint[]    NOT NULL,
    history  jsonb,
    reason   text        NOT NULL,
    died_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX dead_jobs_by_time ON dead_jobs (died_at);

CREATE TYPE call_outcome AS ENUM ('done', 'moved', 'retry', 'failed', 'snoozed', 'rate', 'quota', 'lost');

CREATE TABLE calls (
    started_at timestamptz  NOT NULL,
    took       real,
    worker     integer      NOT NULL,
    subjects   integer      NOT NULL,
    lane       smallint     NOT NULL,
    outcome    call_outcome NOT NULL
)
PARTITION BY RANGE (started_at);

CREATE INDEX calls_by_time ON calls USING brin (started_at) WITH (pages_per_range = 16, autosummarize = on);

CREATE TABLE calls_default PARTITION OF calls DEFAULT;

CREATE TABLE throughput (
    minute   timestamptz NOT NULL,
    lane     smallint    NOT NULL,
    worker   integer     NOT NULL,
    calls    integer     NOT NULL,
    subjects bigint      NOT NULL,
    retries  integer     NOT NULL DEFAULT 0,
    voided   integer     NOT NULL DEFAULT 0,
    late     integer     NOT NULL DEFAULT 0,
    slipped  integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (minute, lane, worker)
)
WITH (fillfactor = 50);

CREATE TABLE workers (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    host       text        NOT NULL,
    pid        integer     NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now(),
    quiet      boolean     NOT NULL DEFAULT false,
    lanes      text[]      NOT NULL DEFAULT '{}'
)
WITH (fillfactor = 50);

CREATE UNLOGGED TABLE sleepers (
    lane  smallint    NOT NULL,
    until timestamptz NOT NULL
)
WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX sleepers_by_lane ON sleepers (lane, until);

CREATE TABLE coordinators (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL,
    host        text        NOT NULL,
    pid         integer     NOT NULL,
    started_at  timestamptz NOT NULL DEFAULT now(),
    seen_at     timestamptz NOT NULL DEFAULT now(),
    heard_since timestamptz NOT NULL DEFAULT now()
)
WITH (fillfactor = 50);

CREATE TABLE leadership (
    only_row    boolean     PRIMARY KEY DEFAULT true,
    coordinator integer     NOT NULL DEFAULT 0,
    term        bigint      NOT NULL DEFAULT 0,
    until       timestamptz NOT NULL DEFAULT '-infinity',
    CONSTRAINT there_is_one_leader CHECK (only_row)
)
WITH (fillfactor = 10);

INSERT INTO leadership DEFAULT VALUES;

CREATE TABLE server_clock (
    only_row    boolean PRIMARY KEY DEFAULT true,
    epoch       integer NOT NULL DEFAULT 0,
    checked_for integer NOT NULL DEFAULT 0,
    CONSTRAINT there_is_one_clock CHECK (only_row)
);

INSERT INTO server_clock DEFAULT VALUES;

CREATE TABLE clock_steps (
    epoch      integer     PRIMARY KEY,
    noticed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    size       interval    NOT NULL
);

CREATE TABLE chains (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    is_current boolean     NOT NULL DEFAULT true,
    plan       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT a_chain_has_links CHECK (jsonb_array_length(plan -> 'links') > 0)
);

CREATE UNIQUE INDEX chains_current ON chains (name) WHERE is_current;

INSERT INTO chains (name, plan) VALUES
    ('default', '{"links": [{"lane": "gazetteer"}], "located": 0.75, "review": 0.4}'),
    ('reverse', '{"links": [{"lane": "gazetteer"}]}');

CREATE TYPE geocode_status AS ENUM ('waiting', 'located', 'needs_review', 'not_found', 'failed', 'forgotten');

CREATE TABLE geocodes (
    id           bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash         bytea          NOT NULL UNIQUE,
    street       text           NOT NULL,
    city         text           NOT NULL,
    region       text           NOT NULL,
    postcode     text           NOT NULL,
    country      text           NOT NULL,
    status       geocode_status NOT NULL DEFAULT 'waiting',
    job          bigint,
    latitude     double precision,
    longitude    double precision,
    precision    text,
    placemark    jsonb,
    provider     text,
    reason       text,
    geocoded_at  timestamptz,
    expires_at   timestamptz,
    chain        integer        NOT NULL,
    link         smallint       NOT NULL DEFAULT 0,
    step         text,
    candidates   jsonb,
    trail        jsonb,
    confidence   real,
    at_latitude  double precision,
    at_longitude double precision,
    shared_from  bigint,
    is_lent      boolean        NOT NULL DEFAULT false,
    pinned_at    timestamptz,
    account      integer,
    is_weak      boolean        NOT NULL DEFAULT false,
    loose_key    bigint,
    follows      boolean        NOT NULL DEFAULT false,
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT only_what_waits_has_a_job CHECK (job IS NULL OR status = 'waiting'),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (
        (status = 'located') = (latitude IS NOT NULL AND longitude IS NOT NULL AND precision IS NOT NULL)),
    CONSTRAINT coordinates_are_on_earth CHECK (latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180),
    CONSTRAINT precision_is_known CHECK (
        precision IN ('rooftop', 'interpolated', 'street', 'postcode', 'city', 'region', 'country')),
    CONSTRAINT what_failed_has_a_reason CHECK (status <> 'failed' OR reason IS NOT NULL),
    CONSTRAINT only_answers_expire CHECK (expires_at IS NULL OR status NOT IN ('waiting', 'forgotten')),
    CONSTRAINT what_a_person_pinned_does_not_expire CHECK (pinned_at IS NULL OR expires_at IS NULL),
    CONSTRAINT what_needs_review_has_candidates CHECK (status <> 'needs_review' OR candidates IS NOT NULL),
    CONSTRAINT confidence_is_a_share CHECK (confidence BETWEEN 0 AND 1),
    CONSTRAINT a_coordinate_is_asked_for_whole CHECK ((at_latitude IS NULL) = (at_longitude IS NULL)),
    CONSTRAINT a_pin_has_an_account CHECK (provider <> 'contact' OR account IS NOT NULL),
    CONSTRAINT who_follows_waits_in_no_job CHECK (
        NOT follows OR status = 'waiting' AND job IS NULL AND loose_key IS NOT NULL)
)
WITH (fillfactor = 40);

CREATE INDEX geocodes_expiring ON geocodes (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX geocodes_with_candidates ON geocodes (id) WHERE candidates IS NOT NULL;

CREATE INDEX geocodes_by_loose_key ON geocodes (loose_key) WHERE loose_key IS NOT NULL;

CREATE INDEX geocodes_following ON geocodes (loose_key) WHERE follows;

ALTER TABLE geocodes ENABLE ROW LEVEL SECURITY;

CREATE TABLE unqueued_geocodes (
    geocode bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE accounts (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text    NOT NULL UNIQUE,
    chain    text    NOT NULL DEFAULT 'default',
    has_pins boolean NOT NULL DEFAULT false
);

ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;

CREATE TABLE friends (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL REFERENCES accounts,
    source_key text        NOT NULL,
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    feed       text        NOT NULL DEFAULT '',
    first_name text        NOT NULL DEFAULT '',
    last_name  text        NOT NULL DEFAULT '',
    nickname   text        NOT NULL DEFAULT '',
    deleted_at timestamptz,
    CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key)
);

CREATE INDEX friends_deleted ON friends (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX friends_of_an_account ON friends (account, id) WHERE deleted_at IS NULL;

ALTER TABLE friends ENABLE ROW LEVEL SECURITY;

CREATE TABLE addresses (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    friend       bigint      NOT NULL REFERENCES friends ON DELETE CASCADE,
    position     smallint    NOT NULL,
    label        text        NOT NULL DEFAULT '',
    street       text        NOT NULL DEFAULT '',
    city         text        NOT NULL DEFAULT '',
    region       text        NOT NULL DEFAULT '',
    postcode     text        NOT NULL DEFAULT '',
    country      text        NOT NULL DEFAULT '',
    hash         bytea       REFERENCES geocodes (hash),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    country_code text,
    CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, position),
    CONSTRAINT a_country_code_is_two_capitals CHECK (country_code ~ '^[A-Z]{2}$'),
    CONSTRAINT an_address_says_where CHECK (concat(street, city, country) ~ '[^[:space:]]')
);

CREATE INDEX addresses_by_hash ON addresses (hash);

CREATE INDEX addresses_unhashed ON addresses (id) WHERE hash IS NULL;

ALTER TABLE addresses ENABLE ROW LEVEL SECURITY;

CREATE TABLE imports (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     integer     NOT NULL REFERENCES accounts,
    feed        text        NOT NULL,
    fingerprint text        NOT NULL,
    is_complete boolean     NOT NULL,
    attempt     integer     NOT NULL DEFAULT 1,
    contacts    integer     NOT NULL DEFAULT 0,
    added       integer     NOT NULL DEFAULT 0,
    changed     integer     NOT NULL DEFAULT 0,
    unchanged   integer     NOT NULL DEFAULT 0,
    addresses   integer     NOT NULL DEFAULT 0,
    questions   integer     NOT NULL DEFAULT 0,
    removed     integer     NOT NULL DEFAULT 0,
    refused     integer     NOT NULL DEFAULT 0,
    started_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);

CREATE UNIQUE INDEX imports_unfinished ON imports (account, feed) WHERE finished_at IS NULL;

ALTER TABLE imports ENABLE ROW LEVEL SECURITY;

CREATE TABLE import_batches (
    import    integer  NOT NULL REFERENCES imports ON DELETE CASCADE,
    first     integer  NOT NULL,
    contacts  integer  NOT NULL,
    added     integer  NOT NULL,
    changed   integer  NOT NULL,
    unchanged integer  NOT NULL,
    addresses integer  NOT NULL,
    questions integer  NOT NULL,
    friends   bigint[],
    PRIMARY KEY (import, first)
);

ALTER TABLE import_batches ALTER friends SET STORAGE EXTERNAL;
ALTER TABLE import_batches ENABLE ROW LEVEL SECURITY;

CREATE TABLE countries (
    code   text     PRIMARY KEY,
    alpha3 text     NOT NULL UNIQUE,
    number smallint NOT NULL UNIQUE,
    name   text     NOT NULL,
    CONSTRAINT a_country_code_is_two_capitals CHECK (code ~ '^[A-Z]{2}$'),
    CONSTRAINT a_long_country_code_is_three_capitals CHECK (alpha3 ~ '^[A-Z]{3}$')
);

INSERT INTO countries (code, alpha3, number, name) VALUES
    ('AD', 'AND', 20, 'Andorra'), ('AE', 'ARE', 784, 'United Arab Emirates'), ('AF', 'AFG', 4, 'Afghanistan'),
    ('AG', 'ATG', 28, 'Antigua and Barbuda'), ('AI', 'AIA', 660, 'Anguilla'), ('AL', 'ALB', 8, 'Albania'),
    ('AM', 'ARM', 51, 'Armenia'), ('AO', 'AGO', 24, 'Angola'), ('AQ', 'ATA', 10, 'Antarctica'),
    ('AR', 'ARG', 32, 'Argentina'), ('AS', 'ASM', 16, 'American Samoa'), ('AT', 'AUT', 40, 'Austria'),
    ('AU', 'AUS', 36, 'Australia'), ('AW', 'ABW', 533, 'Aruba'), ('AX', 'ALA', 248, 'Åland Islands'),
    ('AZ', 'AZE', 31, 'Azerbaijan'), ('BA', 'BIH', 70, 'Bosnia and Herzegovina'), ('BB', 'BRB', 52, 'Barbados'),
    ('BD', 'BGD', 50, 'Bangladesh'), ('BE', 'BEL', 56, 'Belgium'), ('BF', 'BFA', 854, 'Burkina Faso'),
    ('BG', 'BGR', 100, 'Bulgaria'), ('BH', 'BHR', 48, 'Bahrain'), ('BI', 'BDI', 108, 'Burundi'),
    ('BJ', 'BEN', 204, 'Benin'), ('BL', 'BLM', 652, 'Saint Barthélemy'), ('BM', 'BMU', 60, 'Bermuda'),
    ('BN', 'BRN', 96, 'Brunei'), ('BO', 'BOL', 68, 'Bolivia'), ('BQ', 'BES', 535, 'Caribbean Netherlands'),
    ('BR', 'BRA', 76, 'Brazil'), ('BS', 'BHS', 44, 'Bahamas'), ('BT', 'BTN', 64, 'Bhutan'),
    ('BV', 'BVT', 74, 'Bouvet Island'), ('BW', 'BWA', 72, 'Botswana'), ('BY', 'BLR', 112, 'Belarus'),
    ('BZ', 'BLZ', 84, 'Belize'), ('CA', 'CAN', 124, 'Canada'), ('CC', 'CCK', 166, 'Cocos (Keeling) Islands'),
    ('CD', 'COD', 180, 'DR Congo'), ('CF', 'CAF', 140, 'Central African Republic'),
    ('CG', 'COG', 178, 'Republic of the Congo'), ('CH', 'CHE', 756, 'Switzerland'), ('CI', 'CIV', 384, 'Ivory Coast'),
    ('CK', 'COK', 184, 'Cook Islands'), ('CL', 'CHL', 152, 'Chile'), ('CM', 'CMR', 120, 'Cameroon'),
    ('CN', 'CHN', 156, 'China'), ('CO', 'COL', 170, 'Colombia'), ('CR', 'CRI', 188, 'Costa Rica'),
    ('CU', 'CUB', 192, 'Cuba'), ('CV', 'CPV', 132, 'Cape Verde'), ('CW', 'CUW', 531, 'Curaçao'),
    ('CX', 'CXR', 162, 'Christmas Island'), ('CY', 'CYP', 196, 'Cyprus'), ('CZ', 'CZE', 203, 'Czechia'),
    ('DE', 'DEU', 276, 'Germany'), ('DJ', 'DJI', 262, 'Djibouti'), ('DK', 'DNK', 208, 'Denmark'),
    ('DM', 'DMA', 212, 'Dominica'), ('DO', 'DOM', 214, 'Dominican Republic'), ('DZ', 'DZA', 12, 'Algeria'),
    ('EC', 'ECU', 218, 'Ecuador'), ('EE', 'EST', 233, 'Estonia'), ('EG', 'EGY', 818, 'Egypt'),
    ('EH', 'ESH', 732, 'Western Sahara'), ('ER', 'ERI', 232, 'Eritrea'), ('ES', 'ESP', 724, 'Spain'),
    ('ET', 'ETH', 231, 'Ethiopia'), ('FI', 'FIN', 246, 'Finland'), ('FJ', 'FJI', 242, 'Fiji'),
    ('FK', 'FLK', 238, 'Falkland Islands'), ('FM', 'FSM', 583, 'Micronesia'), ('FO', 'FRO', 234, 'Faroe Islands'),
    ('FR', 'FRA', 250, 'France'), ('GA', 'GAB', 266, 'Gabon'), ('GB', 'GBR', 826, 'United Kingdom'),
    ('GD', 'GRD', 308, 'Grenada'), ('GE', 'GEO', 268, 'Georgia'), ('GF', 'GUF', 254, 'French Guiana'),
    ('GG', 'GGY', 831, 'Guernsey'), ('GH', 'GHA', 288, 'Ghana'), ('GI', 'GIB', 292, 'Gibraltar'),
    ('GL', 'GRL', 304, 'Greenland'), ('GM', 'GMB', 270, 'Gambia'), ('GN', 'GIN', 324, 'Guinea'),
    ('GP', 'GLP', 312, 'Guadeloupe'), ('GQ', 'GNQ', 226, 'Equatorial Guinea'), ('GR', 'GRC', 300, 'Greece'),
    ('GS', 'SGS', 239, 'South Georgia and the South Sandwich Islands'), ('GT', 'GTM', 320, 'Guatemala'),
    ('GU', 'GUM', 316, 'Guam'), ('GW', 'GNB', 624, 'Guinea-Bissau'), ('GY', 'GUY', 328, 'Guyana'),
    ('HK', 'HKG', 344, 'Hong Kong'), ('HM', 'HMD', 334, 'Heard and McDonald Islands'), ('HN', 'HND', 340, 'Honduras'),
    ('HR', 'HRV', 191, 'Croatia'), ('HT', 'HTI', 332, 'Haiti'), ('HU', 'HUN', 348, 'Hungary'),
    ('ID', 'IDN', 360, 'Indonesia'), ('IE', 'IRL', 372, 'Ireland'), ('IL', 'ISR', 376, 'Israel'),
    ('IM', 'IMN', 833, 'Isle of Man'), ('IN', 'IND', 356, 'India'), ('IO', 'IOT', 86, 'British Indian Ocean Territory'),
    ('IQ', 'IRQ', 368, 'Iraq'), ('IR', 'IRN', 364, 'Iran'), ('IS', 'ISL', 352, 'Iceland'), ('IT', 'ITA', 380, 'Italy'),
    ('JE', 'JEY', 832, 'Jersey'), ('JM', 'JAM', 388, 'Jamaica'), ('JO', 'JOR', 400, 'Jordan'),
    ('JP', 'JPN', 392, 'Japan'), ('KE', 'KEN', 404, 'Kenya'), ('KG', 'KGZ', 417, 'Kyrgyzstan'),
    ('KH', 'KHM', 116, 'Cambodia'), ('KI', 'KIR', 296, 'Kiribati'), ('KM', 'COM', 174, 'Comoros'),
    ('KN', 'KNA', 659, 'Saint Kitts and Nevis'), ('KP', 'PRK', 408, 'North Korea'), ('KR', 'KOR', 410, 'South Korea'),
    ('KW', 'KWT', 414, 'Kuwait'), ('KY', 'CYM', 136, 'Cayman Islands'), ('KZ', 'KAZ', 398, 'Kazakhstan'),
    ('LA', 'LAO', 418, 'Laos'), ('LB', 'LBN', 422, 'Lebanon'), ('LC', 'LCA', 662, 'Saint Lucia'),
    ('LI', 'LIE', 438, 'Liechtenstein'), ('LK', 'LKA', 144, 'Sri Lanka'), ('LR', 'LBR', 430, 'Liberia'),
    ('LS', 'LSO', 426, 'Lesotho'), ('LT', 'LTU', 440, 'Lithuania'), ('LU', 'LUX', 442, 'Luxembourg'),
    ('LV', 'LVA', 428, 'Latvia'), ('LY', 'LBY', 434, 'Libya'), ('MA', 'MAR', 504, 'Morocco'),
    ('MC', 'MCO', 492, 'Monaco'), ('MD', 'MDA', 498, 'Moldova'), ('ME', 'MNE', 499, 'Montenegro'),
    ('MF', 'MAF', 663, 'Saint Martin'), ('MG', 'MDG', 450, 'Madagascar'), ('MH', 'MHL', 584, 'Marshall Islands'),
    ('MK', 'MKD', 807, 'North Macedonia'), ('ML', 'MLI', 466, 'Mali'), ('MM', 'MMR', 104, 'Myanmar'),
    ('MN', 'MNG', 496, 'Mongolia'), ('MO', 'MAC', 446, 'Macao'), ('MP', 'MNP', 580, 'Northern Mariana Islands'),
    ('MQ', 'MTQ', 474, 'Martinique'), ('MR', 'MRT', 478, 'Mauritania'), ('MS', 'MSR', 500, 'Montserrat'),
    ('MT', 'MLT', 470, 'Malta'), ('MU', 'MUS', 480, 'Mauritius'), ('MV', 'MDV', 462, 'Maldives'),
    ('MW', 'MWI', 454, 'Malawi'), ('MX', 'MEX', 484, 'Mexico'), ('MY', 'MYS', 458, 'Malaysia'),
    ('MZ', 'MOZ', 508, 'Mozambique'), ('NA', 'NAM', 516, 'Namibia'), ('NC', 'NCL', 540, 'New Caledonia'),
    ('NE', 'NER', 562, 'Niger'), ('NF', 'NFK', 574, 'Norfolk Island'), ('NG', 'NGA', 566, 'Nigeria'),
    ('NI', 'NIC', 558, 'Nicaragua'), ('NL', 'NLD', 528, 'Netherlands'), ('NO', 'NOR', 578, 'Norway'),
    ('NP', 'NPL', 524, 'Nepal'), ('NR', 'NRU', 520, 'Nauru'), ('NU', 'NIU', 570, 'Niue'),
    ('NZ', 'NZL', 554, 'New Zealand'), ('OM', 'OMN', 512, 'Oman'), ('PA', 'PAN', 591, 'Panama'),
    ('PE', 'PER', 604, 'Peru'), ('PF', 'PYF', 258, 'French Polynesia'), ('PG', 'PNG', 598, 'Papua New Guinea'),
    ('PH', 'PHL', 608, 'Philippines'), ('PK', 'PAK', 586, 'Pakistan'), ('PL', 'POL', 616, 'Poland'),
    ('PM', 'SPM', 666, 'Saint Pierre and Miquelon'), ('PN', 'PCN', 612, 'Pitcairn'), ('PR', 'PRI', 630, 'Puerto Rico'),
    ('PS', 'PSE', 275, 'Palestine'), ('PT', 'PRT', 620, 'Portugal'), ('PW', 'PLW', 585, 'Palau'),
    ('PY', 'PRY', 600, 'Paraguay'), ('QA', 'QAT', 634, 'Qatar'), ('RE', 'REU', 638, 'Réunion'),
    ('RO', 'ROU', 642, 'Romania'), ('RS', 'SRB', 688, 'Serbia'), ('RU', 'RUS', 643, 'Russia'),
    ('RW', 'RWA', 646, 'Rwanda'), ('SA', 'SAU', 682, 'Saudi Arabia'), ('SB', 'SLB', 90, 'Solomon Islands'),
    ('SC', 'SYC', 690, 'Seychelles'), ('SD', 'SDN', 729, 'Sudan'), ('SE', 'SWE', 752, 'Sweden'),
    ('SG', 'SGP', 702, 'Singapore'), ('SH', 'SHN', 654, 'Saint Helena'), ('SI', 'SVN', 705, 'Slovenia'),
    ('SJ', 'SJM', 744, 'Svalbard and Jan Mayen'), ('SK', 'SVK', 703, 'Slovakia'), ('SL', 'SLE', 694, 'Sierra Leone'),
    ('SM', 'SMR', 674, 'San Marino'), ('SN', 'SEN', 686, 'Senegal'), ('SO', 'SOM', 706, 'Somalia'),
    ('SR', 'SUR', 740, 'Suriname'), ('SS', 'SSD', 728, 'South Sudan'), ('ST', 'STP', 678, 'São Tomé and Príncipe'),
    ('SV', 'SLV', 222, 'El Salvador'), ('SX', 'SXM', 534, 'Sint Maarten'), ('SY', 'SYR', 760, 'Syria'),
    ('SZ', 'SWZ', 748, 'Eswatini'), ('TC', 'TCA', 796, 'Turks and Caicos'), ('TD', 'TCD', 148, 'Chad'),
    ('TF', 'ATF', 260, 'French Southern Territories'), ('TG', 'TGO', 768, 'Togo'), ('TH', 'THA', 764, 'Thailand'),
    ('TJ', 'TJK', 762, 'Tajikistan'), ('TK', 'TKL', 772, 'Tokelau'), ('TL', 'TLS', 626, 'Timor-Leste'),
    ('TM', 'TKM', 795, 'Turkmenistan'), ('TN', 'TUN', 788, 'Tunisia'), ('TO', 'TON', 776, 'Tonga'),
    ('TR', 'TUR', 792, 'Turkey'), ('TT', 'TTO', 780, 'Trinidad and Tobago'), ('TV', 'TUV', 798, 'Tuvalu'),
    ('TW', 'TWN', 158, 'Taiwan'), ('TZ', 'TZA', 834, 'Tanzania'), ('UA', 'UKR', 804, 'Ukraine'),
    ('UG', 'UGA', 800, 'Uganda'), ('UM', 'UMI', 581, 'U.S. Outlying Islands'), ('US', 'USA', 840, 'United States'),
    ('UY', 'URY', 858, 'Uruguay'), ('UZ', 'UZB', 860, 'Uzbekistan'), ('VA', 'VAT', 336, 'Vatican City'),
    ('VC', 'VCT', 670, 'Saint Vincent and the Grenadines'), ('VE', 'VEN', 862, 'Venezuela'),
    ('VG', 'VGB', 92, 'British Virgin Islands'), ('VI', 'VIR', 850, 'U.S. Virgin Islands'),
    ('VN', 'VNM', 704, 'Vietnam'), ('VU', 'VUT', 548, 'Vanuatu'), ('WF', 'WLF', 876, 'Wallis and Futuna'),
    ('WS', 'WSM', 882, 'Samoa'), ('YE', 'YEM', 887, 'Yemen'), ('YT', 'MYT', 175, 'Mayotte'),
    ('ZA', 'ZAF', 710, 'South Africa'), ('ZM', 'ZMB', 894, 'Zambia'), ('ZW', 'ZWE', 716, 'Zimbabwe');

CREATE TABLE tokens (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL,
    hash         bytea       NOT NULL UNIQUE,
    scopes       text[]      NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT a_token_has_a_name CHECK (name <> ''),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin}' AND scopes <> '{}')
);

ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;

CREATE TABLE idempotency_keys (
    account      integer     NOT NULL REFERENCES accounts,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    status       smallint    NOT NULL,
    headers      text[]      NOT NULL,
    body         bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account, key),
    CONSTRAINT a_key_is_short CHECK (length(key) BETWEEN 1 AND 255),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(request_hash) = 32),
    CONSTRAINT a_status_is_one_of_http CHECK (status BETWEEN 100 AND 599),
    CONSTRAINT a_kept_body_is_at_most_a_mebibyte CHECK (octet_length(body) <= 1048576)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account, created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
