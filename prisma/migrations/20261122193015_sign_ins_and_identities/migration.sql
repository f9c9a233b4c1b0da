-- CreateEnum
CREATE TYPE "SignInMethod" AS ENUM ('password', 'passkey', 'google', 'microsoft', 'oidc', 'sign_up', 'link');

-- AlterEnum
ALTER TYPE "LinkPurpose" ADD VALUE 'not_me';

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "email" TEXT,
ADD COLUMN     "identity_id" UUID NOT NULL DEFAULT uuid_v7();

-- CreateTable
CREATE TABLE "sign_ins" (
    "sign_in_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "method" "SignInMethod" NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "device" CHAR(64),
    "user_agent" TEXT,
    "place" TEXT,
    "is_new_device" BOOLEAN NOT NULL DEFAULT false,
    "session_id" UUID,

    CONSTRAINT "sign_ins_pkey" PRIMARY KEY ("sign_in_id")
);

-- CreateIndex
CREATE INDEX "sign_ins_user_id_at_idx" ON "sign_ins"("user_id", "at");

-- CreateIndex
CREATE INDEX "sign_ins_at_idx" ON "sign_ins"("at");

-- CreateIndex
CREATE UNIQUE INDEX "identities_identity_id_key" ON "identities"("identity_id");

-- AddForeignKey
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever did not get in has no session, and no device that counts as known.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_failed_check"
  CHECK ("succeeded" OR ("session_id" IS NULL AND "device" IS NULL AND NOT "is_new_device"));

-- A link for nobody is one for the first account; the others, this one among them, name whose account it is about.
ALTER TABLE "one_time_links" DROP CONSTRAINT "one_time_links_names_whose";
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_names_whose"
  CHECK (("purpose" = 'first_account') = ("user_id" IS NULL));
