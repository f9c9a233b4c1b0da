-- Why: mail is signed with a key per domain, and says so in DNS; both tables are small (domains of people, keys of domains).
-- CreateEnum
CREATE TYPE "MailDomainStatus" AS ENUM ('pending', 'verifying', 'verified', 'failed');

-- CreateEnum
CREATE TYPE "DomainKeyState" AS ENUM ('waiting', 'signing', 'retired');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "require_verified_domain" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "mail_domains" (
    "domain_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "status" "MailDomainStatus" NOT NULL DEFAULT 'pending',
    "checks" JSONB NOT NULL DEFAULT '{}',
    "facts" JSONB NOT NULL DEFAULT '{}',
    "bounce_address" BOOLEAN NOT NULL DEFAULT false,
    "checked_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unanswered" INTEGER NOT NULL DEFAULT 0,
    "looked_for_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),
    "verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_domains_pkey" PRIMARY KEY ("domain_id")
);

-- CreateTable
CREATE TABLE "domain_keys" (
    "key_id" UUID NOT NULL DEFAULT uuid_v7(),
    "domain_id" UUID NOT NULL,
    "selector" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" TEXT,
    "state" "DomainKeyState" NOT NULL,
    "found_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domain_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateIndex
CREATE INDEX "mail_domains_next_check_at_idx" ON "mail_domains"("next_check_at");

-- CreateIndex
CREATE UNIQUE INDEX "mail_domains_user_id_domain_key" ON "mail_domains"("user_id", "domain");

-- CreateIndex
CREATE UNIQUE INDEX "domain_keys_domain_id_selector_key" ON "domain_keys"("domain_id", "selector");

-- AddForeignKey
ALTER TABLE "mail_domains" ADD CONSTRAINT "mail_domains_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_keys" ADD CONSTRAINT "domain_keys_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "mail_domains"("domain_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Two rotations at once would leave nobody knowing which record to publish.
CREATE UNIQUE INDEX domain_keys_one_per_state ON domain_keys (domain_id, state) WHERE state <> 'retired';
