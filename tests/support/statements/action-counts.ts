/** Stored counts of actions that differ from a count of the ledger. */
export const WRONG_ACTION_COUNTS = `
  SELECT campaign_id, quarter, step, variant_label, status, kept.count AS kept, counted.count AS counted, kept.at, counted.at AS first
  FROM (SELECT campaign_id, quarter, step, variant_label, status, at, count::int FROM action_counts WHERE count <> 0) kept
  FULL JOIN (SELECT campaign_id, date_bin('15 minutes', performed_at, 'epoch') AS quarter, step, coalesce(variant_label, '') AS
      variant_label, status, min(performed_at) AS at, count(*)::int AS count
    FROM actions WHERE status IN ('sent', 'uncertain', 'failed', 'skipped') GROUP BY 1, 2, 3, 4, 5) counted
  USING (campaign_id, quarter, step, variant_label, status)
  WHERE kept.count IS DISTINCT FROM counted.count OR date_bin('15 minutes', kept.at, 'epoch') IS DISTINCT FROM quarter`
