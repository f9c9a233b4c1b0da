-- What notices of a workspace leave from, and under which of its domains its reports are opened.
ALTER TABLE "workspace_brandings"
  ADD COLUMN "sender_mailbox_id" UUID,
  ADD COLUMN "report_domain" TEXT;

ALTER TABLE "workspace_brandings" ADD CONSTRAINT "workspace_brandings_sender_mailbox_id_fkey"
  FOREIGN KEY ("sender_mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "workspace_brandings_sender_mailbox_id_idx" ON "workspace_brandings"("sender_mailbox_id");

-- A report's host counts only while its record leads here and the domain has a key of this very workspace in its DNS: that
-- others' records lead here says nothing of whose the domain is.
DROP VIEW "effective_brandings";
CREATE VIEW "effective_brandings" AS
  SELECT w.workspace_id, b.name, b.accent, b.logo_digest, b.sender_name, b.reply_to, b.sender_mailbox_id, b.report_domain,
    CASE WHEN d.checks #>> '{reports,status}' = 'found' AND EXISTS (SELECT 1 FROM domain_keys k
        WHERE k.domain_id = d.domain_id AND k.state = 'signing' AND k.found_at IS NOT NULL)
      THEN 'reports.' || d.domain END AS report_host,
    b.workspace_id AS kept_in
  FROM workspaces w
  LEFT JOIN workspace_brandings own ON own.workspace_id = w.workspace_id AND num_nonnulls(own.name, own.accent,
    own.logo_digest, own.sender_name, own.reply_to, own.sender_mailbox_id, own.report_domain) > 0
  JOIN workspace_brandings b ON b.workspace_id = coalesce(own.workspace_id, w.parent_workspace_id) AND num_nonnulls(b.name,
    b.accent, b.logo_digest, b.sender_name, b.reply_to, b.sender_mailbox_id, b.report_domain) > 0
  LEFT JOIN mail_domains d ON d.workspace_id = b.workspace_id AND d.domain = b.report_domain;

-- Which hosts serve reports and nothing else is asked by name, whosever they are.
CREATE INDEX "mail_domains_reports_idx" ON "mail_domains"("domain") WHERE checks #>> '{reports,status}' = 'found';
