-- By which way mail of a mailbox that signed in by OAuth goes: over SMTP and IMAP, or over its vendor's API.
ALTER TABLE "mailbox_grants" ADD COLUMN "route" TEXT NOT NULL DEFAULT 'smtp';
-- From where an API goes on, in its own words.
ALTER TABLE "mailbox_folders" ADD COLUMN "sync_token" TEXT;
