-- Leads whose person has left, or whose mailbox nobody reads, as an automatic answer of it says.
ALTER TYPE "LeadReason" ADD VALUE 'has_left' AFTER 'replied_elsewhere';
