-- Functions and triggers have shorter names. The function files make them again. CASCADE drops the triggers of a
-- function.
DROP TRIGGER IF EXISTS an_enqueue_wakes_who_sleeps ON jobs;
DROP TRIGGER IF EXISTS decisions_go_with_their_question ON geocodes;

DROP FUNCTION IF EXISTS
    note_an_unqueued_geocode(), forget_the_hash_of_a_changed_address(), note_an_update(),
    note_the_owner_of_an_address(), geocodes_were_changed(), addresses_were_added(), addresses_were_changed(),
    addresses_were_removed(),
    friends_were_added(), friends_were_changed(), friends_were_removed(), remove_addresses_first(),
    take_addresses_along(), note_the_transaction(), note_the_friend_of_a_moved_address(),
    note_friends_of_removed_addresses(), drop_an_ended_shadow(),
    heed_calls(smallint, integer, boolean, interval, boolean, text)
CASCADE;

-- This trigger calls a function that keeps its name.
DROP TRIGGER IF EXISTS friends_were_deleted_for_good ON friends;
