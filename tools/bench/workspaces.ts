import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { closeDatabase, pool } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { listInboxThreads } from '#lib/services/inbox/threads'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { printNote, quantile, report, timed } from './harness.ts'
import { aDataset, anOwner } from './seed.ts'

const WORKSPACES = 1_000
const CAMPAIGNS = 100
const LEADS = 4
const ASKED = 200
const GOAL = 1.5

const STEPS = JSON.stringify([
  {
    step: 1,
    delay_days: 0,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: [],
    subject: 'Hello',
    message_template: 'A word',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  },
])

/** Running campaigns of one workspace that look again in a year, with their leads, half of which have answered. */
async function aBusyWorkspace() {
  const owner = await anOwner({ mailboxes: 1 })
  const { workspace_id } = owner
  const dataset_id = await aDataset(workspace_id, LEADS)
  await pool().query(
    `WITH made AS (
       INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, daily_limit, min_interval_seconds,
         sending_window_start, sending_window_end, launched_at, next_slot_at, created_at, updated_at)
       SELECT $1, $2, $3, 'Campaign ' || n, 'active', $4, '{mon,tue,wed,thu,fri,sat,sun}', 100, 0, '00:00:00', '00:00:00', now(),
         now() + interval '1 year', now() - n * interval '1 second', now() FROM generate_series(1, $5) n RETURNING campaign_id),
     enrolled AS (
       INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step, next_action_at, next_action_type)
       SELECT campaign_id, $1, $3, lead_index, email, 'pending', 1, now(), 'email' FROM made, dataset_rows WHERE dataset_id = $3
       RETURNING campaign_lead_id, campaign_id, email, lead_index)
     INSERT INTO threads (workspace_id, campaign_id, campaign_lead_id, counterpart_address, subject, last_message_at, last_direction,
       last_kind, preview, updated_at)
     SELECT $1, campaign_id, campaign_lead_id, email, 'Hello', now() - lead_index * interval '1 minute', 'in', 'reply', 'Yes', now()
     FROM enrolled WHERE lead_index % 2 = 0`,
    [workspace_id, owner.user_id, dataset_id, STEPS, CAMPAIGNS],
  )
  return owner
}

/** What this workspace has due, claimed until nothing is left. */
async function tick(workspace_id: string): Promise<number> {
  await pool().query(
    `UPDATE campaigns SET next_slot_at = now() WHERE workspace_id = $1 AND next_slot_at IS NOT NULL`,
    [workspace_id],
  )
  const { ms, result } = await timed(async () => {
    let claims = 0
    while (await claimDueCampaign(pool(), 'bench', new Date(), 1)) claims += 1
    return claims
  })
  if (result < CAMPAIGNS) throw new Error(`claimed ${result} times, of ${CAMPAIGNS} campaigns`)
  return ms / result
}

async function measure({ workspace_id, user_id }: Maker) {
  const { rows } = await pool().query<{ campaign_id: string }>(
    'SELECT campaign_id FROM campaigns WHERE workspace_id = $1 LIMIT 1',
    [workspace_id],
  )
  const campaign_id = rows[0]?.campaign_id ?? ''
  const asks: Record<string, () => Promise<unknown>> = {
    campaigns: () => listCampaigns(workspace_id, ListCampaigns.query.parse({})),
    leads: () => listCampaignLeads(workspace_id, campaign_id, ListCampaignLeads.query.parse({})),
    conversations: () =>
      listInboxThreads(
        { workspace_id, user_id, role: 'owner' },
        ListInboxThreads.query.parse({}),
        new Date(),
      ),
  }
  const medians: Record<string, number> = {}
  for (const [name, ask] of Object.entries(asks)) {
    const times: number[] = []
    for (let count = 0; count < ASKED; count += 1) times.push((await timed(ask)).ms)
    // The first of them are the compiler's.
    medians[name] = quantile(times.slice(ASKED / 4), 0.5)
  }
  return { ...medians, claim: await tick(workspace_id) }
}

const settle = () =>
  pool()
    .query('VACUUM (ANALYZE)')
    .then(() => pool().query('CHECKPOINT'))

const first = await aBusyWorkspace()
await settle()
const alone: Record<string, number> = await measure(first)
printNote(`writing ${WORKSPACES} workspaces of ${CAMPAIGNS} campaigns`)
for (let count = 0; count < WORKSPACES - 2; count += 1) await aBusyWorkspace()
// Another one, which has as much to do as the first one had.
const last = await aBusyWorkspace()
await settle()
const among: Record<string, number> = await measure(last)
const WHAT: Record<string, string> = {
  campaigns: 'List of campaigns',
  leads: 'List of campaign leads',
  conversations: 'List of conversations',
  claim: 'One claim of dispatch',
}
for (const [name, what] of Object.entries(WHAT)) {
  const ours = among[name] ?? Number.NaN
  const against = alone[name] ?? Number.NaN
  report({
    what: `${what}, of one workspace among ${WORKSPACES.toLocaleString('en')} × ${CAMPAIGNS} campaigns`,
    ours: `${ours.toFixed(2)} ms`,
    against: `${against.toFixed(2)} ms (alone)`,
    ratio: (ours / against).toFixed(2),
    goal: `≤ ${GOAL}`,
    met: ours / against <= GOAL,
  })
}
await closeDatabase()
