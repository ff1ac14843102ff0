-- Who is in this account, in which order? Asked page by page, when its contacts are listed or written to a file. Without it a
-- small account is found by walking through all the others.
CREATE INDEX friends_of_an_account ON friends (account, id) WHERE deleted_at IS NULL;
