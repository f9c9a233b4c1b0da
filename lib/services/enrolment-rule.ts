/**
 * Why a dataset row `r` is enrolled as skipped; null where it becomes a lead to act on. OFFSET 0 keeps Postgres from copying
 * the CASE, with its look-up of repeats, into every place that reads the reason.
 */
export const enrolledAs = (isRepeat: string) => `
  LEFT JOIN suppressions address ON address.user_id = r.user_id AND address.value = r.email
  LEFT JOIN suppressions domain ON domain.user_id = r.user_id AND domain.value = '@' || split_part(r.email, '@', 2)
  CROSS JOIN LATERAL (SELECT CASE
    WHEN r.email IS NULL THEN 'no_address'
    WHEN address.suppression_id IS NOT NULL THEN 'suppressed: ' || address.reason
    WHEN domain.suppression_id IS NOT NULL THEN 'suppressed_domain: ' || domain.reason
    WHEN ${isRepeat} THEN 'duplicate_address'
  END AS reason OFFSET 0) why`

/** The same where nothing but the row is known, as forecasts and launch checks ask it. */
export const ENROLLED_AS = enrolledAs(`EXISTS (SELECT 1 FROM dataset_rows d
  WHERE d.dataset_id = r.dataset_id AND d.email = r.email AND d.lead_index < r.lead_index)`)
