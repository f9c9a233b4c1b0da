-- A reply to what a mailbox or an account sent goes to the member whom that was given to.
ALTER TYPE "ReplyAssignment" ADD VALUE 'sender';
