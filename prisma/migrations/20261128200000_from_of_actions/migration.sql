-- The address in From of each mail: a thread goes on from where it began, whatever its mailbox sends as by then. Mails from before
-- have none, since nothing but the mailbox's own could stand there.
ALTER TABLE actions ADD COLUMN from_address TEXT;
