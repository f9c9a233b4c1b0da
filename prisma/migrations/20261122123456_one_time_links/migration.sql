-- CreateEnum
CREATE TYPE "LinkPurpose" AS ENUM ('first_account', 'password');

-- AlterEnum
ALTER TYPE "ChangedBy" ADD VALUE 'stranger';

-- CreateTable
CREATE TABLE "one_time_links" (
    "link_id" UUID NOT NULL DEFAULT uuid_v7(),
    "purpose" "LinkPurpose" NOT NULL,
    "user_id" UUID,
    "digest" CHAR(64) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_links_pkey" PRIMARY KEY ("link_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "one_time_links_digest_key" ON "one_time_links"("digest");

-- CreateIndex
CREATE INDEX "one_time_links_user_id_idx" ON "one_time_links"("user_id");

-- AddForeignKey
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A link for a password says whose; the one for the first account has nobody to name.
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_names_whose" CHECK (("purpose" = 'password') = ("user_id" IS NOT NULL));
