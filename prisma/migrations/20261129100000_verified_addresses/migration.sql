-- AlterTable
ALTER TABLE "one_time_links" ADD COLUMN     "mailed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- Which of the accounts so far were made by somebody else than the address's owner, nobody can know any more. All count as verified: else
-- the next forgotten password of each would revoke keys that programs use, and passkeys, of people whose accounts they are.
UPDATE "users" SET "email_verified_at" = now();
