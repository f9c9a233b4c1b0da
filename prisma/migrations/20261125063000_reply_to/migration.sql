-- Where answers to a mailbox's emails go instead of to its own address.
ALTER TABLE "mailboxes" ADD COLUMN "reply_to" TEXT;
