-- A claim asks which campaigns have begun with a person: where many share their people, nearly all of a person's leads have not.
CREATE INDEX "campaign_leads_begun_idx" ON "campaign_leads"("person_id")
  WHERE "status" <> 'pending' AND ("reason" IS NULL OR "reason" NOT IN ('person_busy', 'company_busy', 'resting'));
