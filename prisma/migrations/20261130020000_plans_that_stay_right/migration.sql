-- A function keeps its plans for as long as its connection lives. Made when a statement wrote one row, a plan compared each row that was
-- written with each that was there before: a million comparisons for a thousand leads. A full join is never made so, and finds the same, since
-- no key is changed. Its conditions must not rule out an empty side, or Postgres makes another join of it.
CREATE OR REPLACE FUNCTION count_changed_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT n.campaign_id,
      sum((n.status NOT IN ('pending', 'active'))::int - (o.status NOT IN ('pending', 'active'))::int) AS processed,
      sum((n.status = 'replied')::int - (o.status = 'replied')::int) AS replied,
      sum((n.status = 'bounced')::int - (o.status = 'bounced')::int) AS bounced
    FROM new_rows n FULL JOIN old_rows o USING (campaign_lead_id)
    WHERE n.status IS DISTINCT FROM o.status GROUP BY n.campaign_id
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c JOIN delta USING (campaign_id)
    WHERE delta.processed <> 0 OR delta.replied <> 0 OR delta.bounced <> 0
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  UPDATE campaigns c SET
    processed_leads = c.processed_leads + delta.processed,
    replied_count = c.replied_count + delta.replied,
    bounced_count = c.bounced_count + delta.bounced
  FROM delta JOIN locked USING (campaign_id) WHERE c.campaign_id = delta.campaign_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_changed_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT n.campaign_id,
      sum((n.status = 'sent')::int - (o.status = 'sent')::int) AS sent,
      sum((n.status = 'uncertain')::int - (o.status = 'uncertain')::int) AS uncertain
    FROM new_rows n FULL JOIN old_rows o USING (action_id)
    WHERE n.status IS DISTINCT FROM o.status GROUP BY n.campaign_id
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c JOIN delta USING (campaign_id)
    WHERE delta.sent <> 0 OR delta.uncertain <> 0
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  UPDATE campaigns c SET
    sent_count = c.sent_count + delta.sent,
    uncertain_count = c.uncertain_count + delta.uncertain
  FROM delta JOIN locked USING (campaign_id) WHERE c.campaign_id = delta.campaign_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wake_after_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- By itself: with what is asked of their workspaces, an empty side would be ruled out.
  WITH e AS MATERIALIZED (
    SELECT o.workspace_id, o.person_id, o.campaign_id,
      CASE WHEN n.status NOT IN ('pending', 'active') THEN n.last_event_at END AS at
    FROM old_rows o FULL JOIN new_rows n USING (campaign_lead_id)
    WHERE coalesce(o.status = 'active' AND o.person_id IS NOT NULL
      AND (n.status NOT IN ('pending', 'active') OR n.person_id IS DISTINCT FROM o.person_id), false)
  )
  INSERT INTO contact_wakes (workspace_id, person_id, at)
  SELECT e.workspace_id, e.person_id, max(e.at) FROM e JOIN workspaces w ON w.workspace_id = e.workspace_id
  WHERE w.company_max_active IS NOT NULL OR w.one_campaign_at_a_time AND EXISTS (
    SELECT 1 FROM campaign_leads l WHERE l.person_id = e.person_id AND l.campaign_id <> e.campaign_id
      AND l.status IN ('pending', 'active'))
  GROUP BY 1, 2;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_changed_lead_groups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT n.campaign_id), array_agg(n.campaign_lead_id) FILTER (WHERE
    n.status IN ('replied', 'bounced', 'unsubscribed') OR o.status IN ('replied', 'bounced', 'unsubscribed'))
  INTO moved, ended FROM new_rows n FULL JOIN old_rows o USING (campaign_lead_id)
  WHERE n.status IS DISTINCT FROM o.status OR n.next_step IS DISTINCT FROM o.next_step
    OR (n.current_step > 0) IS DISTINCT FROM (o.current_step > 0)
    OR n.last_event_at IS DISTINCT FROM o.last_event_at AND n.status IN ('replied', 'bounced', 'unsubscribed');
  IF moved IS NULL THEN RETURN NULL; END IF;
  PERFORM 1 FROM campaigns WHERE campaign_id = ANY (moved) ORDER BY campaign_id FOR NO KEY UPDATE;
  INSERT INTO lead_counts AS k (campaign_id, workspace_id, status, step, begun, count)
  SELECT campaign_id, workspace_id, status, step, begun, sum(change) FROM (
    SELECT campaign_id, workspace_id, status, coalesce(next_step, 1) AS step, current_step > 0 AS begun, 1 AS change FROM new_rows
    UNION ALL SELECT campaign_id, workspace_id, status, coalesce(next_step, 1), current_step > 0, -1 FROM old_rows) written
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
  ON CONFLICT (campaign_id, status, step, begun) DO UPDATE SET count = k.count + excluded.count;
  IF ended IS NOT NULL THEN PERFORM credit_endings(ended); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_changed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT o.workspace_id, array_agg(DISTINCT o.campaign_id) AS campaigns, array_agg(DISTINCT o.campaign_lead_id) AS of_leads,
      array_agg(o.action_id) AS written, coalesce(array_agg(ROW(o.action_id, o.campaign_lead_id, o.campaign_id, o.status, o.performed_at,
        o.channel, o.mailbox_id, o.connected_account_id)::contact) FILTER (WHERE o.status IN ('sent', 'uncertain')), '{}') AS former
    FROM old_rows o FULL JOIN new_rows n USING (action_id)
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
