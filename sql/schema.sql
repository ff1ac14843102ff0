-- What sql/migrations add up to. Written by make schema, compared by make test.

CREATE TYPE public.geocode_status AS ENUM (
    'waiting',
    'located',
    'not_found',
    'failed'
);

CREATE FUNCTION public.forget_the_hash_of_a_changed_address() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.hash := NULL;
    RETURN NEW;
END
$$;

CREATE TABLE public.accounts (
    id integer NOT NULL,
    name text NOT NULL
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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
    CONSTRAINT an_address_says_something CHECK ((concat(street, city, region, postcode, country) ~ '[^[:space:]]'::text))
);

ALTER TABLE public.addresses ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.addresses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.coordinators (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
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

CREATE TABLE public.friends (
    id bigint NOT NULL,
    account integer NOT NULL,
    source_key text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.friends ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.friends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.gazetteer_editions (
    dataset text NOT NULL,
    edition text NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.gazetteer_names (
    place integer NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.gazetteer_places (
    id integer NOT NULL,
    name text NOT NULL,
    country text NOT NULL,
    region_code text NOT NULL,
    region text NOT NULL,
    region_key text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    population integer NOT NULL
);

CREATE TABLE public.gazetteer_postcodes (
    country text NOT NULL,
    postcode text NOT NULL,
    place text NOT NULL,
    place_key text NOT NULL,
    region text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL
);

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
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT coordinates_are_on_earth CHECK ((((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (((status = 'located'::public.geocode_status) = ((latitude IS NOT NULL) AND (longitude IS NOT NULL) AND ("precision" IS NOT NULL)))),
    CONSTRAINT only_what_waits_has_a_job CHECK (((job IS NULL) OR (status = 'waiting'::public.geocode_status))),
    CONSTRAINT precision_is_known CHECK (("precision" = ANY (ARRAY['rooftop'::text, 'interpolated'::text, 'street'::text, 'postcode'::text, 'city'::text, 'region'::text, 'country'::text]))),
    CONSTRAINT what_failed_has_a_reason CHECK (((status <> 'failed'::public.geocode_status) OR (reason IS NOT NULL)))
)
WITH (fillfactor='70');

ALTER TABLE public.geocodes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.geocodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    lease bigint,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    worker integer,
    lane smallint NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    subjects bigint[] NOT NULL,
    CONSTRAINT a_held_job_has_a_worker_and_a_lease CHECK (((worker IS NULL) = (lease IS NULL))),
    CONSTRAINT a_job_has_subjects CHECK ((cardinality(subjects) > 0))
);

ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.lanes (
    id smallint NOT NULL,
    name text NOT NULL,
    batch integer DEFAULT 1 NOT NULL,
    CONSTRAINT a_call_carries_at_least_one_subject CHECK ((batch >= 1))
);

ALTER TABLE public.lanes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lanes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.leases
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    is_breaking boolean NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.throughput (
    minute timestamp with time zone NOT NULL,
    lane smallint NOT NULL,
    worker integer NOT NULL,
    calls integer NOT NULL,
    subjects integer NOT NULL,
    retries integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.workers (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
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

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, "position");

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_name_key UNIQUE (name);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.coordinators
    ADD CONSTRAINT coordinators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gazetteer_editions
    ADD CONSTRAINT gazetteer_editions_pkey PRIMARY KEY (dataset);

ALTER TABLE ONLY public.gazetteer_places
    ADD CONSTRAINT gazetteer_places_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.geocodes
    ADD CONSTRAINT geocodes_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.geocodes
    ADD CONSTRAINT geocodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lanes
    ADD CONSTRAINT lanes_name_key UNIQUE (name);

ALTER TABLE ONLY public.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.throughput
    ADD CONSTRAINT throughput_pkey PRIMARY KEY (minute, lane, worker);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX addresses_by_hash ON public.addresses USING btree (hash);

CREATE INDEX addresses_unhashed ON public.addresses USING btree (id) WHERE (hash IS NULL);

CREATE INDEX gazetteer_names_by_name ON public.gazetteer_names USING btree (name) INCLUDE (place);

CREATE INDEX gazetteer_postcodes_by_postcode ON public.gazetteer_postcodes USING btree (country, postcode);

CREATE INDEX geocodes_unqueued ON public.geocodes USING btree (id) WHERE ((status = 'waiting'::public.geocode_status) AND (job IS NULL));

CREATE INDEX jobs_held ON public.jobs USING btree (worker) WHERE (worker IS NOT NULL);

CREATE INDEX jobs_ready ON public.jobs USING btree (lane, priority DESC, run_at, id) WHERE (worker IS NULL);

CREATE TRIGGER a_changed_address_has_another_hash BEFORE UPDATE OF street, city, region, postcode, country ON public.addresses FOR EACH ROW WHEN (((((((old.street IS DISTINCT FROM new.street) OR (old.city IS DISTINCT FROM new.city)) OR (old.region IS DISTINCT FROM new.region)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.country IS DISTINCT FROM new.country)) AND (NOT (new.hash IS DISTINCT FROM old.hash)))) EXECUTE FUNCTION public.forget_the_hash_of_a_changed_address();

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_friend_fkey FOREIGN KEY (friend) REFERENCES public.friends(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_hash_fkey FOREIGN KEY (hash) REFERENCES public.geocodes(hash);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id);

ALTER TABLE ONLY public.throughput
    ADD CONSTRAINT throughput_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id);
