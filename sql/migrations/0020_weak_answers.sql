-- An answer's confidence says how likely it is right as what it is. That it is coarser than what was asked for, as a town is for
-- a street, is told apart.

ALTER TABLE geocodes
    ADD is_weak boolean NOT NULL DEFAULT false;

-- What was located before keeps its confidence, but a town for somebody who named a street was always weak.
UPDATE geocodes
SET is_weak = true
WHERE status = 'located' AND pinned_at IS NULL AND precision IN ('postcode', 'city', 'region', 'country')
  AND street <> '' AND at_latitude IS NULL;

-- The first chain took nearly everything, because a town for a street had a confidence of 0.16 at most. Whoever set a chain
-- of their own keeps it, and so does a question under way.
UPDATE chains
SET is_current = false
WHERE name = 'default' AND is_current
  AND plan = '{"links": [{"lane": "gazetteer"}], "located": 0.1, "review": 0.04}';

INSERT INTO chains (name, plan)
SELECT 'default', '{"links": [{"lane": "gazetteer"}], "located": 0.75, "review": 0.4}'
WHERE NOT EXISTS (SELECT FROM chains WHERE name = 'default' AND is_current);
