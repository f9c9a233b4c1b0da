import { reasonSets } from '#lib/services/leads/state/sql'

const WHY = reasonSets('n.reason')

/**
 * SQL that enrols rows as leads: `rows` is a query of lead_index, email, created_at, due_at, action_type, `reason` (null where
 * somebody is to be acted on; the others are skipped at once) and social_profile.
 */
export const enrolSql = (
  ids: { campaign_id: string; workspace_id: string; dataset_id: string },
  rows: string,
) => `
  INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step, next_action_at,
    next_action_type, reason, reason_detail, created_at, social_profile)
  SELECT ${ids.campaign_id}, ${ids.workspace_id}, ${ids.dataset_id}, n.lead_index, n.email,
    CASE WHEN n.reason IS NULL THEN 'pending' ELSE 'skipped' END::"LeadStatus",
    CASE WHEN n.reason IS NULL THEN 1 END,
    CASE WHEN n.reason IS NULL THEN n.due_at END,
    CASE WHEN n.reason IS NULL THEN n.action_type END,
    ${WHY.reason}, ${WHY.reason_detail}, n.created_at, n.social_profile
  FROM (${rows}) n
  ON CONFLICT (campaign_id, lead_index) DO NOTHING`
