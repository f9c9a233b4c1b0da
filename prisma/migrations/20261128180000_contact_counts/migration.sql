-- Leads that were sent something, by the days of their workspace's zone, kept so that analytics of a span of days need not read the
-- ledger. What left for a lead stands on its day with the day of what left for it before that: of a span, each lead has one of which
-- the day before is earlier than the span.
CREATE TABLE "contact_counts" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "campaign_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "sender_id" UUID NOT NULL,
    "last_day" DATE NOT NULL,
    "count" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "contact_counts_pkey" PRIMARY KEY ("workspace_id","day","campaign_id","kind","sender_id","last_day")
);

CREATE INDEX "contact_counts_campaign_id_idx" ON "contact_counts"("campaign_id");

ALTER TABLE "contact_counts" ADD CONSTRAINT "contact_counts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_counts" ADD CONSTRAINT "contact_counts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is counted of an action, as it was before a statement.
CREATE TYPE contact AS (
  action_id UUID,
  campaign_lead_id UUID,
  campaign_id UUID,
  status "ActionStatus",
  performed_at TIMESTAMPTZ(3),
  channel TEXT,
  mailbox_id UUID,
  connected_account_id UUID
);

-- No mail is held up by a zone that this Postgres does not know.
CREATE FUNCTION known_zone(zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $$;

-- Nearly always what left is one action of each lead, and its last one: it is added, with the day of the one before it. Answers whether
-- that was so; if not, nothing is written.
CREATE FUNCTION add_last_contacts(zone text, of_workspace uuid, written uuid[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  -- A mail of a paced campaign is written by itself: for one the statement below takes three times as long as these two.
  IF cardinality(written) = 1 THEN
    SELECT n.campaign_id, CASE WHEN n.channel = 'email' THEN n.campaign_id END AS mail, n.mailbox_id, n.connected_account_id,
      (n.status = 'sent')::int AS sent, (n.performed_at AT TIME ZONE zone)::date AS day, e.* INTO one
    FROM actions n CROSS JOIN LATERAL (
      SELECT (max(b.performed_at) AT TIME ZONE zone)::date AS of_lead,
        (max(b.performed_at) FILTER (WHERE (b.channel = 'email') = (n.channel = 'email')) AT TIME ZONE zone)::date AS of_mail,
        (max(b.performed_at) FILTER (WHERE b.mailbox_id IS NOT DISTINCT FROM n.mailbox_id
          AND b.connected_account_id IS NOT DISTINCT FROM n.connected_account_id) AT TIME ZONE zone)::date AS of_sender,
        coalesce(bool_or((b.performed_at, b.action_id) > (n.performed_at, n.action_id)), false) AS is_before
      FROM actions b WHERE b.campaign_lead_id = n.campaign_lead_id AND b.action_id <> n.action_id AND b.status IN ('sent', 'uncertain')) e
    WHERE n.action_id = written[1];
    IF one.is_before THEN RETURN false; END IF;
    INSERT INTO contact_counts AS k (workspace_id, day, campaign_id, kind, sender_id, last_day, count, sent)
    SELECT of_workspace, one.day, one.campaign_id, kind, sender_id, coalesce(last_day, '-infinity'), 1, one.sent
    FROM (VALUES ('lead', one.campaign_id, one.of_lead), ('mail', one.mail, one.of_mail), ('mailbox', one.mailbox_id, one.of_sender),
      ('account', one.connected_account_id, one.of_sender)) kinds (kind, sender_id, last_day)
    WHERE sender_id IS NOT NULL
    ON CONFLICT (workspace_id, day, campaign_id, kind, sender_id, last_day) DO UPDATE SET
      count = k.count + excluded.count, sent = k.sent + excluded.sent;
    RETURN true;
  END IF;
  WITH added AS MATERIALIZED (
    SELECT n.campaign_id, n.channel = 'email' AS is_mail, n.mailbox_id, n.connected_account_id, n.status,
      (n.performed_at AT TIME ZONE zone)::date AS day, e.*
    FROM actions n CROSS JOIN LATERAL (
      SELECT (max(b.performed_at) AT TIME ZONE zone)::date AS of_lead,
        (max(b.performed_at) FILTER (WHERE (b.channel = 'email') = (n.channel = 'email')) AT TIME ZONE zone)::date AS of_mail,
        (max(b.performed_at) FILTER (WHERE b.mailbox_id IS NOT DISTINCT FROM n.mailbox_id
          AND b.connected_account_id IS NOT DISTINCT FROM n.connected_account_id) AT TIME ZONE zone)::date AS of_sender,
        coalesce(bool_or((b.performed_at, b.action_id) > (n.performed_at, n.action_id)), false) AS is_before
      FROM actions b WHERE b.campaign_lead_id = n.campaign_lead_id AND b.action_id <> n.action_id AND b.status IN ('sent', 'uncertain')) e
    WHERE n.action_id = ANY (written)
  )
  INSERT INTO contact_counts AS k (workspace_id, day, campaign_id, kind, sender_id, last_day, count, sent)
  SELECT of_workspace, day, campaign_id, kind, sender_id, coalesce(last_day, '-infinity'), count(*), count(*) FILTER (WHERE status = 'sent')
  FROM added CROSS JOIN LATERAL (VALUES ('lead', campaign_id, of_lead), ('mail', CASE WHEN is_mail THEN campaign_id END, of_mail),
    ('mailbox', mailbox_id, of_sender), ('account', connected_account_id, of_sender)) kinds (kind, sender_id, last_day)
  WHERE sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM added WHERE is_before) GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (workspace_id, day, campaign_id, kind, sender_id, last_day) DO UPDATE SET
    count = k.count + excluded.count, sent = k.sent + excluded.sent;
  RETURN FOUND;
END $$;

-- Adds what the days of these leads are now, and takes off what they were: without the actions that a statement has written (null: all
-- of them), but with the former ones. Callers have locked the campaigns of these leads, so nobody else counts them meanwhile.
CREATE FUNCTION count_contacts(of_workspace uuid, of_leads uuid[], written uuid[], former contact[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT known_zone(timezone) FROM workspaces WHERE workspace_id = of_workspace);
BEGIN
  IF former = '{}' AND cardinality(of_leads) = cardinality(written) AND add_last_contacts(zone, of_workspace, written) THEN RETURN; END IF;
  WITH now_there AS MATERIALIZED (
    SELECT action_id, campaign_lead_id, campaign_id, status, performed_at, channel, mailbox_id, connected_account_id
    FROM actions WHERE campaign_lead_id = ANY (of_leads) AND status IN ('sent', 'uncertain')
  ), pairs AS (
    SELECT sign, campaign_id, channel = 'email' AS is_mail, mailbox_id, connected_account_id, day, status,
      lag(day, 1, '-infinity') OVER (PARTITION BY sign, campaign_lead_id ORDER BY performed_at, action_id) AS of_lead,
      lag(day, 1, '-infinity') OVER (PARTITION BY sign, campaign_lead_id, channel = 'email' ORDER BY performed_at, action_id) AS of_mail,
      lag(day, 1, '-infinity') OVER (PARTITION BY sign, campaign_lead_id, mailbox_id, connected_account_id ORDER BY performed_at, action_id) AS of_sender
    FROM (SELECT *, (performed_at AT TIME ZONE zone)::date AS day
      FROM (SELECT 1 AS sign, * FROM now_there
        UNION ALL SELECT -1, * FROM now_there WHERE written IS NOT NULL AND action_id <> ALL (written)
        UNION ALL SELECT -1, * FROM unnest(former)) contacts) of_days
  ), groups AS (
    SELECT campaign_id, is_mail, mailbox_id, connected_account_id, day, of_lead, of_mail, of_sender, sum(sign) AS count,
      coalesce(sum(sign) FILTER (WHERE status = 'sent'), 0) AS sent
    FROM pairs GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  )
  INSERT INTO contact_counts AS k (workspace_id, day, campaign_id, kind, sender_id, last_day, count, sent)
  SELECT of_workspace, day, campaign_id, kind, sender_id, last_day, sum(count), sum(sent)
  FROM groups CROSS JOIN LATERAL (VALUES ('lead', campaign_id, of_lead), ('mail', CASE WHEN is_mail THEN campaign_id END, of_mail),
    ('mailbox', mailbox_id, of_sender), ('account', connected_account_id, of_sender)) kinds (kind, sender_id, last_day)
  WHERE sender_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) <> 0 OR sum(sent) <> 0
  ON CONFLICT (workspace_id, day, campaign_id, kind, sender_id, last_day) DO UPDATE SET
    count = k.count + excluded.count, sent = k.sent + excluded.sent;
END $$;

-- In the transaction of the ledger, whoever writes it. Campaigns are locked first and in one order, and the days of the leads read by a
-- statement of its own, which sees what the last holder of the lock wrote. What is under way is none of this yet.
CREATE FUNCTION count_new_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  PERFORM 1 FROM campaigns WHERE campaign_id IN (SELECT campaign_id FROM new_rows WHERE status IN ('sent', 'uncertain'))
  ORDER BY campaign_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  FOR one IN
    SELECT workspace_id, array_agg(DISTINCT campaign_lead_id) AS of_leads, array_agg(action_id) AS written
    FROM new_rows WHERE status IN ('sent', 'uncertain') GROUP BY workspace_id
  LOOP
    PERFORM count_contacts(one.workspace_id, one.of_leads, one.written, '{}');
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT o.workspace_id, array_agg(DISTINCT o.campaign_id) AS campaigns, array_agg(DISTINCT o.campaign_lead_id) AS of_leads,
      array_agg(o.action_id) AS written, coalesce(array_agg(ROW(o.action_id, o.campaign_lead_id, o.campaign_id, o.status, o.performed_at,
        o.channel, o.mailbox_id, o.connected_account_id)::contact) FILTER (WHERE o.status IN ('sent', 'uncertain')), '{}') AS former
    FROM old_rows o JOIN new_rows n USING (action_id)
    WHERE (n.status IN ('sent', 'uncertain') OR o.status IN ('sent', 'uncertain'))
      AND (n.status, n.performed_at, n.channel, n.mailbox_id, n.connected_account_id)
        IS DISTINCT FROM (o.status, o.performed_at, o.channel, o.mailbox_id, o.connected_account_id)
    GROUP BY o.workspace_id
  LOOP
    PERFORM 1 FROM campaigns WHERE campaign_id = ANY (one.campaigns) ORDER BY campaign_id FOR NO KEY UPDATE;
    PERFORM count_contacts(one.workspace_id, one.of_leads, one.written, one.former);
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION count_deleted_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  PERFORM 1 FROM campaigns WHERE campaign_id IN (SELECT campaign_id FROM old_rows WHERE status IN ('sent', 'uncertain'))
  ORDER BY campaign_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  FOR one IN
    SELECT workspace_id, array_agg(DISTINCT campaign_lead_id) AS of_leads,
      array_agg(ROW(action_id, campaign_lead_id, campaign_id, status, performed_at, channel, mailbox_id, connected_account_id)::contact) AS former
    FROM old_rows WHERE status IN ('sent', 'uncertain') GROUP BY workspace_id
  LOOP
    PERFORM count_contacts(one.workspace_id, one.of_leads, '{}', one.former);
  END LOOP;
  RETURN NULL;
END $$;

-- All that a workspace sent, by the days of its zone now.
CREATE FUNCTION recount_contacts(of_workspace uuid) RETURNS void LANGUAGE plpgsql SET work_mem = '64MB' AS $$
DECLARE
  campaign uuid;
  of_leads uuid[];
BEGIN
  DELETE FROM contact_counts WHERE workspace_id = of_workspace;
  FOR campaign IN SELECT campaign_id FROM campaigns WHERE workspace_id = of_workspace ORDER BY campaign_id LOOP
    SELECT array_agg(DISTINCT campaign_lead_id) INTO of_leads FROM actions WHERE campaign_id = campaign AND status IN ('sent', 'uncertain');
    IF of_leads IS NOT NULL THEN PERFORM count_contacts(of_workspace, of_leads, NULL, '{}'); END IF;
  END LOOP;
END $$;

CREATE FUNCTION count_contacts_of_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM campaigns WHERE workspace_id = NEW.workspace_id ORDER BY campaign_id FOR NO KEY UPDATE;
  PERFORM recount_contacts(NEW.workspace_id);
  RETURN NULL;
END $$;

-- Nobody writes to the ledger until what is there is counted.
CREATE TRIGGER count_new_contacts AFTER INSERT ON "actions"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_contacts();
CREATE TRIGGER count_changed_contacts AFTER UPDATE ON "actions"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_contacts();
-- With their campaign the counts go too: only what is deleted by itself is taken off.
CREATE TRIGGER count_deleted_contacts AFTER DELETE ON "actions"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_deleted_contacts();
-- Whoever changes it has locked the campaigns before the workspace, as all do.
CREATE TRIGGER count_contacts_of_zone AFTER UPDATE OF "timezone" ON "workspaces"
  FOR EACH ROW WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION count_contacts_of_zone();

SELECT recount_contacts(workspace_id) FROM "workspaces";
