-- The contacts: accounts, friends and their addresses, and the imports that bring them. The policies of row-level
-- security are in functions/row_security.sql.

CREATE TABLE accounts (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text    NOT NULL UNIQUE,

    -- The chain along which the account's addresses go.
    chain    text    NOT NULL DEFAULT 'default',

    -- True once a contact of this account brought a position. From then on each address is looked up among the pins
    -- first.
    has_pins boolean NOT NULL DEFAULT false,

    -- How often friends of this account were deleted for good.
    purges   bigint  NOT NULL DEFAULT 0,

    -- The greatest `changed_in` of these friends. For a friend that was not soft-deleted before, the number of the
    -- deleting transaction counts instead. A client that has read up to this number has missed no deletion.
    purged_in bigint NOT NULL DEFAULT 0,

    -- Swift takes `José` in NFC and in NFD for one name. So each name by which something is found has the form NFC.
    CONSTRAINT a_name_is_in_the_form_nfc CHECK (name IS NFC NORMALIZED)
);

ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;

CREATE TABLE friends (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL REFERENCES accounts,

    -- The friend's key in the source, so that the next import of the same file finds them.
    source_key text        NOT NULL,

    -- The name to show.
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),

    -- The feed that brings this friend; empty for a friend from the API or another program.
    feed       text        NOT NULL DEFAULT '',

    -- The parts of the name, if the source has them.
    first_name text        NOT NULL DEFAULT '',
    last_name  text        NOT NULL DEFAULT '',
    nickname   text        NOT NULL DEFAULT '',

    -- Soft delete: the time since which the friend is missing from the source. Their addresses stay and are not shown.
    deleted_at timestamptz,

    -- The number of the transaction that last changed the row. A time would miss changes: a transaction may commit long
    -- after one that began later, and a request between the two commits would skip it for ever. PostgreSQL lists the
    -- transactions that are still open, so a request can stop before their numbers. functions/changes.sql maintains it.
    changed_in bigint      NOT NULL DEFAULT pg_current_xact_id()::text::bigint,

    CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key),
    CONSTRAINT a_key_and_a_feed_are_in_the_form_nfc CHECK (source_key IS NFC NORMALIZED AND feed IS NFC NORMALIZED)
);

-- Finds friends deleted so long ago that they can be deleted for good.
CREATE INDEX friends_deleted ON friends (deleted_at) WHERE deleted_at IS NOT NULL;

-- Lists the friends of an account page by page, for lists and exports. Without this index a small account is found by
-- reading all others.
CREATE INDEX friends_of_an_account ON friends (account, id) WHERE deleted_at IS NULL;

-- List pages of friends: of one feed, and in the two orders of Monica's API.
CREATE INDEX friends_by_feed ON friends (account, feed, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_creation ON friends (account, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_change ON friends (account, updated_at, id) WHERE deleted_at IS NULL;

-- Finds the friends that changed after a transaction, soft-deleted ones too.
CREATE INDEX friends_by_transaction ON friends (account, changed_in, id);

ALTER TABLE friends ENABLE ROW LEVEL SECURITY;

CREATE TABLE addresses (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    friend       bigint      NOT NULL REFERENCES friends ON DELETE CASCADE,

    -- A friend's addresses in the order of the source: 1, 2, …
    position     smallint    NOT NULL,
    label        text        NOT NULL DEFAULT '',
    street       text        NOT NULL DEFAULT '',
    city         text        NOT NULL DEFAULT '',
    region       text        NOT NULL DEFAULT '',
    postcode     text        NOT NULL DEFAULT '',
    country      text        NOT NULL DEFAULT '',

    -- The only way to a coordinate. Null until the sweep has hashed an address that another program wrote.
    hash         bytea       REFERENCES geocodes (hash),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),

    -- The country's ISO 3166-1 code if its spelling is known; set together with the hash. No foreign key: it would lock
    -- the same few countries for each of a million addresses.
    country_code text,

    -- Copies of the friend's account and of the question's status, which functions/standing.sql maintains. Without them
    -- no index could contain both the account and the searched value, so a search for a few addresses would read a
    -- million. The names differ from those in `friends` and `geocodes`, because queries join these tables.
    owner           integer NOT NULL,

    -- geocodes.status; 'waiting' if there is no question yet. The type is text, because row-level security prevents an
    -- index search for a value of an enumeration: PostgreSQL does not mark its comparison as leakproof.
    place_status    text    NOT NULL DEFAULT 'waiting',
    place_precision text,
    place_is_weak   boolean NOT NULL DEFAULT false,

    -- The position of a located address on the map. functions/map_key.sql computes it.
    map_key         bigint,

    -- As in `friends`.
    changed_in      bigint  NOT NULL DEFAULT pg_current_xact_id()::text::bigint,

    -- True if a provider did not look, so that the question is asked again: geocodes.ask_again_at is not null.
    place_is_provisional boolean NOT NULL DEFAULT false,

    CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, position),
    CONSTRAINT a_country_code_is_two_capitals CHECK (country_code ~ '^[A-Z]{2}$'),
    CONSTRAINT an_address_says_where CHECK (concat(street, city, country) ~ '[^[:space:]]')
);

-- Finds the addresses of a question when its answer changes, and for the foreign key.
CREATE INDEX addresses_by_hash ON addresses (hash);

-- The sweep finds addresses that another program wrote.
CREATE INDEX addresses_unhashed ON addresses (id) WHERE hash IS NULL;

-- Find the friends with an address in a country, with a label, or of a status. Sorted by the friend's id, as pages are.
CREATE INDEX addresses_by_country ON addresses (owner, country_code, friend);
CREATE INDEX addresses_by_label ON addresses (owner, label, friend);
CREATE INDEX addresses_by_status ON addresses (owner, place_status, friend);

-- Finds the addresses in a part of the map.
CREATE INDEX addresses_on_the_map ON addresses (owner, map_key) WHERE map_key IS NOT NULL;

-- List pages of addresses in the two orders of Monica's API.
CREATE INDEX addresses_by_creation ON addresses (owner, created_at, id);
CREATE INDEX addresses_by_change ON addresses (owner, updated_at, id);

-- Finds the addresses that changed after a transaction. A change of an address is noted only in its own row.
CREATE INDEX addresses_by_transaction ON addresses (owner, changed_in, friend);

ALTER TABLE addresses ENABLE ROW LEVEL SECURITY;

-- The number of an account's addresses by status, and of its friends, both without soft-deleted friends. A number is
-- the sum over the account's rows. Each statement that changes a number adds rows, so two statements never wait for
-- each other. The leading coordinator merges the rows (functions/add_up_tallies.sql).
CREATE TABLE address_tallies (
    account   integer NOT NULL,
    status    text    NOT NULL,
    precision text,
    is_weak   boolean NOT NULL,
    addresses bigint  NOT NULL,

    -- Its sum only grows. While the sum is the same, nothing has changed.
    changes   bigint  NOT NULL,

    is_provisional boolean NOT NULL DEFAULT false
);

CREATE INDEX address_tallies_of_an_account ON address_tallies (account);

CREATE TABLE friend_tallies (
    account integer NOT NULL,
    friends bigint  NOT NULL,

    -- Its sum only grows, as in `address_tallies`.
    changes bigint  NOT NULL
);

CREATE INDEX friend_tallies_of_an_account ON friend_tallies (account);

ALTER TABLE address_tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE friend_tallies ENABLE ROW LEVEL SECURITY;

-- Questions that changed while another transaction stored an address for them. The change could not see that address,
-- so the leading coordinator updates it later.
CREATE TABLE unsettled_geocodes (
    geocode bigint NOT NULL
);

-- One run of a feed, kept until the next run of the same feed and source.
CREATE TABLE imports (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     integer     NOT NULL REFERENCES accounts,
    feed        text        NOT NULL,

    -- Identifies the source in its present version. An unfinished import with the same fingerprint is continued.
    fingerprint text        NOT NULL,

    -- True if the source contains all friends. Then friends that are not in it are soft-deleted.
    is_complete boolean     NOT NULL,

    -- Incremented by a process that takes the import over, so that the former importer notices that it lost the import.
    attempt     integer     NOT NULL DEFAULT 1,

    -- The sums over all batches, set at the end of the import.
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
    finished_at timestamptz,

    CONSTRAINT a_feed_is_in_the_form_nfc CHECK (feed IS NFC NORMALIZED)
);

-- A feed is read by one import at a time.
CREATE UNIQUE INDEX imports_unfinished ON imports (account, feed) WHERE finished_at IS NULL;

ALTER TABLE imports ENABLE ROW LEVEL SECURITY;

-- The contacts that an unfinished import has stored, a row for each transaction. Parallel transactions write no common
-- row.
CREATE TABLE import_batches (
    import    integer  NOT NULL REFERENCES imports ON DELETE CASCADE,

    -- The batch has `contacts` contacts; `first` others come before them in the source.
    first     integer  NOT NULL,
    contacts  integer  NOT NULL,
    added     integer  NOT NULL,
    changed   integer  NOT NULL,
    unchanged integer  NOT NULL,
    addresses integer  NOT NULL,
    questions integer  NOT NULL,

    -- The ids of these friends, if the source is complete: at the end of the import all other friends are soft-deleted.
    -- A row for each id would cost as much as the friends themselves.
    friends   bigint[],

    PRIMARY KEY (import, first)
);

-- Not compressed: compressing takes longer than writing.
ALTER TABLE import_batches ALTER friends SET STORAGE EXTERNAL;
ALTER TABLE import_batches ENABLE ROW LEVEL SECURITY;

-- ISO 3166-1.
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
