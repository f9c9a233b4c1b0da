-- For how many days nobody else of a company is written to once somebody there replied; 0: nobody waits.
ALTER TABLE "workspaces" ADD COLUMN "colleague_reply_days" INTEGER NOT NULL DEFAULT 0 CHECK ("colleague_reply_days" BETWEEN 0 AND 365);

-- The last reply of each company's people, and whose it was. Claims ask for it by the key. No foreign key: people leave with their
-- workspace only.
ALTER TABLE "companies"
  ADD COLUMN "replied_at" TIMESTAMPTZ(3),
  ADD COLUMN "replied_person_id" UUID;
CREATE INDEX "companies_replied_idx" ON "companies"("workspace_id", "replied_at") WHERE "replied_at" IS NOT NULL;

UPDATE "companies" c SET "replied_at" = r.at, "replied_person_id" = r.person_id FROM (
  SELECT DISTINCT ON (p.company_id) p.company_id, l.person_id, l.last_event_at AS at
  FROM "campaign_leads" l JOIN "people" p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
  WHERE l.status = 'replied' AND p.company_id IS NOT NULL AND l.last_event_at IS NOT NULL
  ORDER BY p.company_id, l.last_event_at DESC) r
WHERE r.company_id = c.company_id;

ALTER TYPE "LeadReason" ADD VALUE 'colleague_replied';
