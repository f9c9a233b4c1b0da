-- What a receiver saw of mail in the name of a domain, for a day or so (RFC 7489, section 7.2).
CREATE TABLE "dmarc_reports" (
  "dmarc_report_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "domain_id" UUID NOT NULL,
  "org_name" TEXT NOT NULL,
  "external_id" TEXT NOT NULL,
  "begins_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "policy" TEXT,
  "messages" INTEGER NOT NULL,
  "passed" INTEGER NOT NULL,
  "quarantined" INTEGER NOT NULL,
  "rejected" INTEGER NOT NULL,
  "sources" JSONB NOT NULL,
  "taken_in_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dmarc_reports_pkey" PRIMARY KEY ("dmarc_report_id")
);
CREATE UNIQUE INDEX "dmarc_reports_domain_id_org_name_external_id_key"
  ON "dmarc_reports"("domain_id", "org_name", "external_id");
CREATE INDEX "dmarc_reports_domain_id_begins_at_idx" ON "dmarc_reports"("domain_id", "begins_at");
CREATE INDEX "dmarc_reports_workspace_id_idx" ON "dmarc_reports"("workspace_id");
ALTER TABLE "dmarc_reports" ADD CONSTRAINT "dmarc_reports_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dmarc_reports" ADD CONSTRAINT "dmarc_reports_domain_id_fkey"
  FOREIGN KEY ("domain_id") REFERENCES "mail_domains"("domain_id") ON DELETE CASCADE ON UPDATE CASCADE;
