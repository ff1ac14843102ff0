-- Only a located answer is coarser than its question. Three queries checked the status again.

UPDATE geocodes SET is_weak = false WHERE is_weak AND status <> 'located';

ALTER TABLE geocodes
    ADD CONSTRAINT only_what_is_located_is_weak CHECK (NOT is_weak OR status = 'located');
