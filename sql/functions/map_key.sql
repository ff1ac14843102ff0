-- Encodes an address's position on the map as one number, so that a btree finds all addresses in a box. The number
-- interleaves 29 bits of longitude with 29 bits of latitude (Morton's curve), so a box is a few ranges of numbers.
-- https://en.wikipedia.org/wiki/Z-order_curve
--
-- The highest bits are a random level from 0 to 11. Half of all addresses have level 11, a quarter level 10, and so on.
-- Reading levels from 0 until there are enough rows gives a fair sample of a box, however many addresses it holds.
-- Contacts/MapRanges.swift computes the ranges.
CREATE OR REPLACE FUNCTION map_key(address bigint, latitude double precision, longitude double precision) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    east   bigint := least(floor((longitude + 180) / 360 * 536870912)::bigint, 536870911);
    north  bigint := least(floor((latitude + 90) / 180 * 536870912)::bigint, 536870911);
    lot    bigint := hashint8extended(address, 0) & 2047;
    level  bigint := 11;
BEGIN
    east := (east | (east << 16)) & 281470681808895;       -- 0x0000FFFF0000FFFF
    east := (east | (east << 8)) & 71777214294589695;      -- 0x00FF00FF00FF00FF
    east := (east | (east << 4)) & 1085102592571150095;    -- 0x0F0F0F0F0F0F0F0F
    east := (east | (east << 2)) & 3689348814741910323;    -- 0x3333333333333333
    east := (east | (east << 1)) & 6148914691236517205;    -- 0x5555555555555555
    north := (north | (north << 16)) & 281470681808895;
    north := (north | (north << 8)) & 71777214294589695;
    north := (north | (north << 4)) & 1085102592571150095;
    north := (north | (north << 2)) & 3689348814741910323;
    north := (north | (north << 1)) & 6148914691236517205;
    WHILE level > 0 AND lot & 1 = 0 LOOP
        level := level - 1;
        lot := lot >> 1;
    END LOOP;
    RETURN (level << 58) | (north << 1) | east;
END
$$;

-- Fill in the key of addresses that were located before the column existed. Only the first run of this file does it: it
-- reads all addresses.
UPDATE addresses
SET map_key = map_key(addresses.id, geocodes.latitude, geocodes.longitude)
FROM geocodes
WHERE geocodes.hash = addresses.hash AND geocodes.status = 'located' AND addresses.map_key IS NULL
  AND NOT EXISTS (SELECT FROM schema_functions WHERE name = 'map_key');
