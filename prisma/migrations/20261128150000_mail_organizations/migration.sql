-- AlterTable
ALTER TABLE "mailbox_grants" ADD COLUMN     "organization_id" UUID,
ALTER COLUMN "refresh_token" DROP NOT NULL;

-- CreateTable
CREATE TABLE "mail_organizations" (
    "organization_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "vendor" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "account" TEXT,
    "key_id" TEXT,
    "tenant_id" TEXT,
    "secret" TEXT NOT NULL,
    "failing_cause" TEXT,
    "failing_said" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "last_checked_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_organizations_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "mail_organizations_workspace_id_idx" ON "mail_organizations"("workspace_id");

-- CreateIndex
CREATE INDEX "mailbox_grants_organization_id_idx" ON "mailbox_grants"("organization_id");

-- refuses nothing of the last release: mailbox_grants_organization_id_fkey, because its code does not know the column
ALTER TABLE "mailbox_grants" ADD CONSTRAINT "mailbox_grants_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "mail_organizations"("organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_organizations" ADD CONSTRAINT "mail_organizations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
