/** SQL: the actions `a` that count as performed; failed and skipped ones do not. */
export const IS_TAKEN = `a.status IN ('sending', 'retry', 'sent', 'uncertain')`

/**
 * SQL: a step may have been performed for the lead. It never was for leads that wait before their first step,
 * and where many campaigns share people nearly all leads are such. An index with exactly this condition
 * leaves them out, so keep the wording identical.
 */
export const mayHaveBegun = (lead: string) =>
  `${lead}.status <> 'pending' AND (${lead}.reason IS NULL OR ${lead}.reason NOT IN ('person_busy', 'company_busy', 'resting'))`

/**
 * SQL: the leads `l` of a person (given as SQL) of workspace $1 for which a step was performed, each with the
 * time of the last one. A separate subquery, so that the index is searched person by person: statistics are
 * wrong about campaigns that started after they were collected.
 */
export const begunLeadsSql = (
  person: string,
) => `LATERAL (SELECT l.*, taken.at AS last_action_at FROM campaign_leads l
    CROSS JOIN LATERAL (SELECT max(a.performed_at) AS at FROM actions a
      WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN}) taken
  WHERE l.workspace_id = $1 AND l.person_id = ${person} AND ${mayHaveBegun('l')} AND taken.at IS NOT NULL OFFSET 0) l`

/**
 * SQL: a step was performed for lead `l`, so the campaign is or was in progress for its person. A scalar
 * subquery per lead: EXISTS would be planned as a join that reads the whole ledger if statistics still show
 * it as empty.
 */
export const HAS_BEGUN = `coalesce((SELECT true FROM actions a
  WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN} LIMIT 1), false)`

/**
 * SQL: whether more than `most` (SQL) leads of workspace $1 may have begun, according to the kept counts.
 * Leads whose first step is in progress at this moment are not counted.
 */
export const moreBegunSql = (most: string) =>
  `(SELECT coalesce(sum(k.count), 0) FROM lead_counts k
    WHERE k.workspace_id = $1 AND k.status <> 'pending' AND (k.begun OR k.status <> 'active')) > ${most}`
