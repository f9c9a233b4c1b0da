import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db, pool } from '#lib/db/client'
import { isAiStep } from '#lib/domain/personalize/review'
import { type HeldTexts, heldTexts } from '#lib/services/sending/missing-texts'

type Reviewed = Pick<
  Campaign,
  'campaign_id' | 'workspace_id' | 'dataset_id' | 'steps_config' | 'unreviewed_launch_policy'
> & {
  reviewed_at: Date | null
}
type Policy = Reviewed['unreviewed_launch_policy']

/** What happens to leads without an approved text when the step's turn comes. */
const OTHERS: Record<Policy, string> = {
  launch_default: 'get the step’s own text',
  hold: 'wait until theirs is approved',
  cancel: 'wait until theirs is approved',
}
/** What happens to a scheduled launch. */
const LATER: Record<Policy, string> = {
  launch_default: '',
  hold: ' A scheduled launch pauses before it starts.',
  cancel: ' A scheduled launch goes back to draft.',
}

/** AI steps that would reach leads without an approved text, each with the page where its texts are reviewed. */
export async function reviewWarnings(
  campaign: Reviewed,
  leads: number,
  leadIndexes: () => Promise<ArrayLike<number>>,
): Promise<LaunchCheck[]> {
  const steps = campaign.steps_config.filter(isAiStep)
  if (steps.length === 0) return []
  const [approved, runs] = await Promise.all([
    approvedLeads(campaign.campaign_id),
    db.personalizationRun.findMany({
      where: { campaign_id: campaign.campaign_id, workspace_id: campaign.workspace_id },
      orderBy: [{ created_at: 'desc' }, { run_id: 'desc' }],
      distinct: ['step'],
      select: { step: true, run_id: true },
    }),
  ])
  const held = await heldTexts(pool(), campaign, await leadIndexes())
  return steps.flatMap((config): LaunchCheck[] => {
    const { step } = config
    const count = approved.get(step) ?? 0
    const run = runs.find((one) => one.step === step)
    const fix = run
      ? `/personalize/${run.run_id}`
      : `/personalize/playground?campaign_id=${campaign.campaign_id}&step=${step}`
    const waiting = held.find((one) => one.step === step)
    const message = waiting && heldMessage(waiting)
    return [
      ...(message ? [{ code: 'texts_held', message, step, fix }] : []),
      ...(count < leads
        ? [{ code: 'ai_unreviewed', message: textsMessage(campaign, config, count, leads), step, fix }]
        : []),
    ]
  })
}

/** How many leads a step would hold, and why; null if none. */
function heldMessage({ step, missing, changed }: HeldTexts): string | null {
  const count = missing.size + changed.size
  if (count === 0) return null
  const why = [
    missing.size > 0 && `${missing.size} without an approved text`,
    changed.size > 0 && `${changed.size} with a text approved before its data changed`,
  ].filter((part) => part !== false)
  return `Step ${step} holds ${count === 1 ? '1 lead' : `${count} leads`}: ${why.join(', ')}. ${count === 1 ? 'It goes' : 'They go'} on once the texts are approved; the forecast leaves ${count === 1 ? 'it' : 'them'} out.`
}

async function approvedLeads(campaignId: string): Promise<Map<number, number>> {
  const { rows } = await pool().query<{ step: number; count: number }>(
    `SELECT step, count(DISTINCT lead_index)::int AS count FROM generations
     WHERE campaign_id = $1 AND step IS NOT NULL AND approved_at IS NOT NULL GROUP BY step`,
    [campaignId],
  )
  return new Map(rows.map(({ step, count }) => [step, count]))
}

function textsMessage(campaign: Reviewed, config: StepConfig, count: number, leads: number): string {
  const policy = campaign.unreviewed_launch_policy
  // If some variants are handwritten, not every lead needs an AI text; the variant is drawn per lead.
  const some = config.variants.some(({ type }) => type === 'AI') ? ' that get an AI variant' : ''
  const have =
    count === 0
      ? 'no lead has an approved text'
      : `${count} of ${leads} leads ${count === 1 ? 'has' : 'have'} an approved text`
  const others = `${count === 0 ? 'All' : 'The others'}${some} ${OTHERS[policy]}.`
  const later = campaign.reviewed_at === null ? LATER[policy] : ''
  return `Step ${config.step} uses AI, and ${have}. ${others}${later}`
}
