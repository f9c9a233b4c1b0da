/** SQL: the actions `a` by which a lead has begun: one that failed or was passed over is none. */
export const IS_TAKEN = `a.status IN ('sending', 'retry', 'sent', 'uncertain')`

/**
 * SQL: that a step may have been taken for a lead. For those who wait before their first none was, and where many campaigns share
 * people these are nearly all: the index on what is asked here, word by word, leads past them.
 */
export const mayHaveBegun = (lead: string) =>
  `${lead}.status <> 'pending' AND (${lead}.reason IS NULL OR ${lead}.reason NOT IN ('person_busy', 'company_busy', 'resting'))`

/**
 * SQL of the leads `l` of a person of workspace $1, itself SQL, that may have begun, each with when a step was last taken for it, and
 * only where one was. A part of its own, so that the index is asked person by person: what statistics say of a campaign that began
 * since is wrong.
 */
export const begunLeadsSql = (
  person: string,
) => `LATERAL (SELECT l.*, taken.at AS last_action_at FROM campaign_leads l
    CROSS JOIN LATERAL (SELECT max(a.performed_at) AS at FROM actions a
      WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN}) taken
  WHERE l.workspace_id = $1 AND l.person_id = ${person} AND ${mayHaveBegun('l')} AND taken.at IS NOT NULL OFFSET 0) l`

/**
 * SQL: that a step was taken for a lead `l`, so that its person is, or was, under way. Asked lead by lead: as EXISTS it would be a join,
 * for which a ledger that was empty a moment ago is read whole.
 */
export const HAS_BEGUN = `coalesce((SELECT true FROM actions a
  WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN} LIMIT 1), false)`

/**
 * SQL: whether more leads than so many, itself SQL, may have begun in workspace $1, by what is kept of where leads stand: those whose
 * first step is under way this moment are not in it.
 */
export const moreBegunSql = (most: string) =>
  `(SELECT coalesce(sum(k.count), 0) FROM lead_counts k
    WHERE k.workspace_id = $1 AND k.status <> 'pending' AND (k.begun OR k.status <> 'active')) > ${most}`
