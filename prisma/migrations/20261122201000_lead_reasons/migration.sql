-- Why a lead is where it is was text: a name of ours, or whatever a server said. Now it is one of a list, and the words of
-- others stand beside it.
CREATE TYPE "LeadReason" AS ENUM ('no_address', 'no_profile', 'no_address_or_profile', 'duplicate_address', 'duplicate_profile', 'company_replied', 'stopped', 'step_removed', 'suppressed', 'suppressed_domain', 'unsubscribe', 'hard_bounce', 'complaint', 'held', 'retry', 'failed', 'uncertain', 'skipped', 'bounced', 'other');

-- Of the words as they were: which reason, and what else they say.
CREATE FUNCTION lead_reason_of(said text, event text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN said IS NULL THEN NULL
    WHEN said = ANY (enum_range(NULL::"LeadReason")::text[]) THEN said
    WHEN said = 'The step it waited for was taken away.' THEN 'step_removed'
    WHEN split_part(said, ': ', 1) IN ('suppressed', 'suppressed_domain') THEN split_part(said, ': ', 1)
    WHEN event IN ('held', 'retry', 'failed', 'uncertain', 'skipped', 'bounced', 'suppressed') THEN event
    ELSE 'other' END
$$;
CREATE FUNCTION lead_reason_detail_of(said text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN said = ANY (enum_range(NULL::"LeadReason")::text[]) THEN NULL
    WHEN said = 'The step it waited for was taken away.' THEN NULL
    WHEN split_part(said, ': ', 1) IN ('suppressed', 'suppressed_domain')
      THEN nullif(substr(said, length(split_part(said, ': ', 1)) + 3), '')
    ELSE said END
$$;

ALTER TABLE "campaign_leads" ADD COLUMN "reason_detail" TEXT;
UPDATE "campaign_leads" SET "reason_detail" = lead_reason_detail_of("reason") WHERE lead_reason_detail_of("reason") IS NOT NULL;
ALTER TABLE "campaign_leads" ALTER COLUMN "reason" TYPE "LeadReason"
  USING (lead_reason_of("reason", coalesce("last_event"::text, "status"::text))::"LeadReason");
ALTER TABLE "campaign_leads" ADD CONSTRAINT "campaign_leads_reason_detail_check"
  CHECK ("reason_detail" IS NULL OR "reason" IS NOT NULL);

-- An edit from before can still be undone: it keeps where its leads stood.
UPDATE "campaign_edit_leads" SET "before" = "before" || jsonb_build_object(
  'reason', lead_reason_of("before" ->> 'reason', "before" ->> 'last_event'),
  'reason_detail', lead_reason_detail_of("before" ->> 'reason')) WHERE jsonb_typeof("before") = 'object';
UPDATE "campaign_edit_leads" SET "after" = "after" || jsonb_build_object(
  'reason', lead_reason_of("after" ->> 'reason', "after" ->> 'last_event'),
  'reason_detail', lead_reason_detail_of("after" ->> 'reason')) WHERE jsonb_typeof("after") = 'object';

DROP FUNCTION lead_reason_of(text, text);
DROP FUNCTION lead_reason_detail_of(text);
