-- People join by the domain of their address, and their role follows the groups of the identity provider.
CREATE TYPE "RoleSource" AS ENUM ('hand', 'provider');
ALTER TABLE "members" ADD COLUMN "role_from" "RoleSource" NOT NULL DEFAULT 'hand';

-- Whoever is let in by an address is never let in above this.
CREATE TYPE "JoiningRole" AS ENUM ('member', 'viewer');

CREATE TABLE "past_members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "left_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "past_members_pkey" PRIMARY KEY ("workspace_id","user_id")
);
CREATE INDEX "past_members_user_id_idx" ON "past_members"("user_id");
ALTER TABLE "past_members" ADD CONSTRAINT "past_members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "past_members" ADD CONSTRAINT "past_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "sign_in_domains" (
    "sign_in_domain_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "role" "JoiningRole" NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_domains_pkey" PRIMARY KEY ("sign_in_domain_id")
);
CREATE UNIQUE INDEX "sign_in_domains_workspace_id_domain_key" ON "sign_in_domains"("workspace_id", "domain");
-- Of those that claim a domain, the first to prove it has it.
CREATE UNIQUE INDEX "sign_in_domains_verified_key" ON "sign_in_domains"("domain") WHERE "verified_at" IS NOT NULL;
ALTER TABLE "sign_in_domains" ADD CONSTRAINT "sign_in_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "group_roles" (
    "workspace_id" UUID NOT NULL,
    "roles" JSONB NOT NULL DEFAULT '[]',
    "includes_invited" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "group_roles_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
