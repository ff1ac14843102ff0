-- Contacts come in feeds that are read again and again: what changed is told from what did not, and what is gone from what
-- was never there.

ALTER TABLE friends
    -- The feed that brings this friend; empty for one who came over the API or by another program.
    ADD feed       text NOT NULL DEFAULT '',

    -- The parts of the name, where the source has them. `name` is what to show.
    ADD first_name text NOT NULL DEFAULT '',
    ADD last_name  text NOT NULL DEFAULT '',
    ADD nickname   text NOT NULL DEFAULT '',

    -- Since when the friend is gone from the source. They keep their addresses, and nobody is shown them.
    ADD deleted_at timestamptz;

-- Who has been gone for so long that they can be deleted for good?
CREATE INDEX friends_deleted ON friends (deleted_at) WHERE deleted_at IS NOT NULL;

-- ISO 3166-1.
CREATE TABLE countries (
    code   text     PRIMARY KEY,
    alpha3 text     NOT NULL UNIQUE,
    number smallint NOT NULL UNIQUE,
    name   text     NOT NULL,

    CONSTRAINT a_country_code_is_two_capitals CHECK (code ~ '^[A-Z]{2}$'),
    CONSTRAINT a_long_country_code_is_three_capitals CHECK (alpha3 ~ '^[A-Z]{3}$')
);

ALTER TABLE addresses
    -- The country as ISO 3166-1 has it, where its spelling is known; set together with the hash. No foreign key: it would
    -- lock the same few countries for each of a million addresses.
    ADD country_code text,
    ADD CONSTRAINT a_country_code_is_two_capitals CHECK (country_code ~ '^[A-Z]{2}$'),
    DROP CONSTRAINT an_address_says_something,
    -- Not checked on what is there already: an upgrade must not fail on a lonely postcode.
    ADD CONSTRAINT an_address_says_where CHECK (concat(street, city, country) ~ '[^[:space:]]') NOT VALID;

-- True once a contact of this account brought a position along: then each address is looked up among the pins first.
ALTER TABLE accounts ADD has_pins boolean NOT NULL DEFAULT false;

-- Called by the trigger of migration 3: what was derived from the old text goes with it.
CREATE OR REPLACE FUNCTION forget_the_hash_of_a_changed_address() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.hash := NULL;
    NEW.country_code := NULL;
    RETURN NEW;
END
$$;

-- `updated_at` is right whoever writes. Our own writers set it themselves, which spares them the call; filling in a hash
-- changes nothing that a person wrote.
CREATE FUNCTION note_an_update() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$$;

CREATE TRIGGER a_changed_friend_is_updated_now
BEFORE UPDATE ON friends
FOR EACH ROW
WHEN (NEW.updated_at = OLD.updated_at
      AND (OLD.account, OLD.source_key, OLD.name, OLD.first_name, OLD.last_name, OLD.nickname, OLD.feed, OLD.deleted_at)
      IS DISTINCT FROM
      (NEW.account, NEW.source_key, NEW.name, NEW.first_name, NEW.last_name, NEW.nickname, NEW.feed, NEW.deleted_at))
EXECUTE FUNCTION note_an_update();

CREATE TRIGGER a_changed_address_is_updated_now
BEFORE UPDATE ON addresses
FOR EACH ROW
WHEN (NEW.updated_at = OLD.updated_at
      AND (OLD.friend, OLD.position, OLD.label, OLD.street, OLD.city, OLD.region, OLD.postcode, OLD.country)
      IS DISTINCT FROM
      (NEW.friend, NEW.position, NEW.label, NEW.street, NEW.city, NEW.region, NEW.postcode, NEW.country))
EXECUTE FUNCTION note_an_update();

-- One run over a feed, until the next one over the same feed and source.
CREATE TABLE imports (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     integer     NOT NULL REFERENCES accounts,
    feed        text        NOT NULL,

    -- What tells a source from another, or from itself after a change. Run again with the same, an unfinished import goes on.
    fingerprint text        NOT NULL,

    -- Whether the source has everybody: then who is not in it is gone.
    is_complete boolean     NOT NULL,

    -- Raised by whoever takes the import over: it tells a late importer that this is not theirs any more.
    attempt     integer     NOT NULL DEFAULT 1,

    -- What all its batches did, from the end of the import on.
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

-- A feed is read by one import at a time.
CREATE UNIQUE INDEX imports_unfinished ON imports (account, feed) WHERE finished_at IS NULL;

-- The contacts of a source that an unfinished import has stored, a row for each transaction: two that store side by side
-- write no row in common.
CREATE TABLE import_batches (
    import    integer  NOT NULL REFERENCES imports ON DELETE CASCADE,

    -- It holds so many contacts, behind so many others of the source.
    first     integer  NOT NULL,
    contacts  integer  NOT NULL,
    added     integer  NOT NULL,
    changed   integer  NOT NULL,
    unchanged integer  NOT NULL,
    addresses integer  NOT NULL,
    questions integer  NOT NULL,

    -- Who they are, where the feed is complete: at its end all others are gone. A row for each would cost as much as the
    -- friends themselves.
    friends   bigint[],

    PRIMARY KEY (import, first)
);

-- Not compressed, for that takes longer than to write it.
ALTER TABLE import_batches ALTER friends SET STORAGE EXTERNAL;

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

-- The codes of what is there already, as far as SQL can tell; an address that is written again gets the rest.
UPDATE addresses
SET country_code = code
FROM countries
WHERE addresses.hash IS NOT NULL
  AND lower(btrim(country)) IN (lower(code), lower(alpha3), lower(countries.name))
  AND concat(street, city, country) ~ '[^[:space:]]';
