-- CreateTable
CREATE TABLE "postmaster_accounts" (
    "workspace_id" UUID NOT NULL,
    "vendor" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "refresh_token" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_said" TEXT,
    "next_read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "postmaster_accounts_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "postmaster_domains" (
    "domain_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "said" TEXT,
    "days" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "postmaster_domains_pkey" PRIMARY KEY ("domain_id")
);

-- CreateIndex
CREATE INDEX "postmaster_accounts_next_read_at_idx" ON "postmaster_accounts"("next_read_at");

-- CreateIndex
CREATE INDEX "postmaster_domains_workspace_id_idx" ON "postmaster_domains"("workspace_id");

-- AddForeignKey
ALTER TABLE "postmaster_accounts" ADD CONSTRAINT "postmaster_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "postmaster_domains" ADD CONSTRAINT "postmaster_domains_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "mail_domains"("domain_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "postmaster_domains" ADD CONSTRAINT "postmaster_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
