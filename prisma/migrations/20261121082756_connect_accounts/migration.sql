-- CreateEnum
CREATE TYPE "AccountStatus" AS ENUM ('connected', 'disconnected');

-- CreateTable
CREATE TABLE "connected_accounts" (
    "account_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "driver" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "handle" TEXT,
    "avatar_url" TEXT,
    "kind" TEXT NOT NULL DEFAULT 'free',
    "status" "AccountStatus" NOT NULL DEFAULT 'connected',
    "status_reason" TEXT,
    "limits" JSONB NOT NULL DEFAULT '{}',
    "min_interval_seconds" INTEGER NOT NULL DEFAULT 60,
    "ramp_up" JSONB,
    "ramp_up_started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "last_action_at" TIMESTAMPTZ(3),
    "last_checked_at" TIMESTAMPTZ(3),
    "messages_read_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connected_accounts_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "social_people" (
    "account_id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "handle" TEXT,
    "name" TEXT,
    "headline" TEXT,
    "avatar_url" TEXT,
    "relation" TEXT NOT NULL DEFAULT 'none',
    "invitation_id" TEXT,
    "invited_at" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3),
    "chat_id" TEXT,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "social_people_pkey" PRIMARY KEY ("account_id","provider_id")
);

-- CreateTable
CREATE TABLE "social_identifiers" (
    "account_id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "social_identifiers_pkey" PRIMARY KEY ("account_id","identifier")
);

-- CreateIndex
CREATE INDEX "connected_accounts_user_id_created_at_account_id_idx" ON "connected_accounts"("user_id", "created_at", "account_id");

-- CreateIndex
CREATE UNIQUE INDEX "connected_accounts_driver_provider_account_id_key" ON "connected_accounts"("driver", "provider_account_id");

-- CreateIndex
CREATE INDEX "social_people_user_id_idx" ON "social_people"("user_id");

-- CreateIndex
CREATE INDEX "social_identifiers_user_id_idx" ON "social_identifiers"("user_id");

-- AddForeignKey
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_people" ADD CONSTRAINT "social_people_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "connected_accounts"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_identifiers" ADD CONSTRAINT "social_identifiers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "connected_accounts"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One account at most takes the posts that name none.
CREATE UNIQUE INDEX "connected_accounts_one_default" ON "connected_accounts" ("user_id") WHERE "is_default";
