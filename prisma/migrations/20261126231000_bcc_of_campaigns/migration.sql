-- Gets a copy of each mail of the campaign, unseen: the dropbox of a CRM. Null: nobody.
ALTER TABLE "campaigns" ADD COLUMN "bcc_address" TEXT;
