import type { Campaign } from '#lib/contracts/campaigns'
import { pool } from '#lib/db/client'
import { isAiStep } from '#lib/domain/personalization/review'
import { enrolledAs, type Reach } from '#lib/services/enrolment-rule'

type Checked = Pick<
  Campaign,
  'campaign_id' | 'user_id' | 'dataset_id' | 'steps_config' | 'unreviewed_launch_policy'
>
type Found = { code: string; message: string; step: number; fix: string }

/** Of each step whose words are a model's: how many leads have a text that a person approved, and what the others get. */
export async function textReviews(
  campaign: Checked,
  reach: Reach,
): Promise<{ warns: Found[]; informs: Found[] }> {
  const steps = campaign.steps_config.filter(isAiStep).map(({ step }) => step)
  if (steps.length === 0) return { warns: [], informs: [] }
  const { rows } = await pool().query<{
    step: number
    run_id: string | null
    leads: number
    approved: number
  }>(
    `SELECT s.step, count(*)::int AS leads,
       (SELECT n.run_id FROM personalization_runs n WHERE n.campaign_id = $3 AND n.step = s.step
        ORDER BY n.created_at DESC LIMIT 1) AS run_id,
       (count(*) FILTER (WHERE EXISTS (SELECT 1 FROM generations g WHERE g.campaign_id = $3
         AND g.step = s.step AND g.lead_index = r.lead_index AND g.approved_at IS NOT NULL)))::int AS approved
     FROM dataset_rows r ${enrolledAs(reach)} CROSS JOIN unnest($4::int[]) s (step)
     WHERE r.user_id = $1 AND r.dataset_id = $2 AND why.reason IS NULL GROUP BY s.step ORDER BY s.step`,
    [campaign.user_id, campaign.dataset_id, campaign.campaign_id, steps],
  )
  const others =
    campaign.unreviewed_launch_policy === 'launch_default'
      ? 'the others get the step’s own text'
      : 'the others wait until theirs are approved'
  const found = rows.map(({ step, run_id, leads, approved }) => ({
    step,
    fix: run_id ? `/personalize/${run_id}` : `/personalize/playground?campaign_id=${campaign.campaign_id}`,
    isDone: approved === leads,
    message: `Step ${step}: ${approved} of ${leads} leads have a personalised text that was approved`,
  }))
  return {
    warns: found.flatMap(({ isDone, step, fix, message }) =>
      isDone ? [] : [{ code: 'texts_unreviewed', message: `${message}; ${others}.`, step, fix }],
    ),
    informs: found.flatMap(({ isDone, step, fix, message }) =>
      isDone ? [{ code: 'texts_reviewed', message: `${message}.`, step, fix }] : [],
    ),
  }
}
