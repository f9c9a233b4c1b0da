import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { ListPeople } from '#lib/contracts/leads/people'
import { ListWorkspaceOverviews } from '#lib/contracts/workspaces/overview'
import { closeDatabase, pool } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { readHome } from '#lib/services/campaigns/home'
import { listWorkspaceOverviews } from '#lib/services/campaigns/reports/workspace-overviews'
import { listInboxThreads } from '#lib/services/inbox/threads'
import { readDueWork } from '#lib/services/instance/due-work'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { listPeople } from '#lib/services/leads/people/list'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { printNote, quantile, report, timed } from './harness.ts'
import { aDataset, anOwner, EMAIL_STEP } from './seed.ts'

const WORKSPACES = 1_000
const CAMPAIGNS = 100
const LEADS = 4
const ASKED = 200
const GOAL = 1.5

const STEPS = JSON.stringify([EMAIL_STEP])

/** Running campaigns of one workspace with their next slot in a year; half of their leads have replied. */
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
  await pool().query(
    `INSERT INTO people (workspace_id, email, updated_at) SELECT workspace_id, email, now() FROM dataset_rows WHERE dataset_id = $1`,
    [dataset_id],
  )
  return owner
}

/** Claims the due actions of this workspace until nothing is left. */
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

/** The same while every workspace has work due at once: as many claims, whichever workspace has its turn. */
async function crowdedTick(): Promise<number> {
  await pool().query('UPDATE campaigns SET next_slot_at = now() WHERE next_slot_at IS NOT NULL')
  await settle()
  const { ms } = await timed(async () => {
    for (let claims = 0; claims < CAMPAIGNS; claims += 1)
      if (!(await claimDueCampaign(pool(), 'bench', new Date(), 1)))
        throw new Error(`claimed ${claims} times, of ${CAMPAIGNS}`)
  })
  await pool().query(
    `UPDATE campaigns SET next_slot_at = now() + interval '1 year' WHERE next_slot_at IS NOT NULL`,
  )
  await settle()
  return ms / CAMPAIGNS
}

async function measure({ workspace_id, user_id }: Maker) {
  const { rows } = await pool().query<{ campaign_id: string }>(
    'SELECT campaign_id FROM campaigns WHERE workspace_id = $1 LIMIT 1',
    [workspace_id],
  )
  const campaign_id = rows[0]?.campaign_id ?? ''
  const asks: Record<string, () => Promise<unknown>> = {
    campaigns: () => listCampaigns({ workspace_id, user_id }, ListCampaigns.query.parse({})),
    leads: () => listCampaignLeads(workspace_id, campaign_id, ListCampaignLeads.query.parse({}), new Date()),
    conversations: () =>
      listInboxThreads(
        { workspace_id, user_id, role: 'owner' },
        ListInboxThreads.query.parse({}),
        new Date(),
      ),
    people: () => listPeople(workspace_id, ListPeople.query.parse({}), new Date()),
    home: () => readHome(workspace_id, new Date()),
    overview: () =>
      listWorkspaceOverviews(
        { workspace_id, user_id, credential: 'jwt' },
        ListWorkspaceOverviews.query.parse({}),
        new Date(),
      ),
    due: () => readDueWork(pool()),
  }
  const medians: Record<string, number> = {}
  for (const [name, ask] of Object.entries(asks)) {
    const times: number[] = []
    for (let count = 0; count < ASKED; count += 1) times.push((await timed(ask)).ms)
    // The first requests include compilation.
    medians[name] = quantile(times.slice(ASKED / 4), 0.5)
  }
  const crowded = await crowdedTick()
  return { ...medians, crowded, claim: await tick(workspace_id) }
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
// Another workspace, with as much work as the first one had.
const last = await aBusyWorkspace()
await settle()
const among: Record<string, number> = await measure(last)
const WHAT: Record<string, string> = {
  campaigns: 'List of campaigns of one workspace',
  people: 'List of people of one workspace',
  home: 'Page Home of one workspace',
  overview: 'Overview of the workspaces of a person',
  due: 'What is due next of all workspaces',
  leads: 'List of campaign leads of one workspace',
  conversations: 'List of conversations of one workspace',
  claim: 'One claim of dispatch while one workspace is due',
  crowded: 'One claim of dispatch while all are due',
}
for (const [name, what] of Object.entries(WHAT)) {
  const ours = among[name] ?? Number.NaN
  const against = alone[name] ?? Number.NaN
  report({
    what: `${what}, among ${WORKSPACES.toLocaleString('en')} × ${CAMPAIGNS} campaigns`,
    ours: `${ours.toFixed(2)} ms`,
    against: `${against.toFixed(2)} ms (alone)`,
    ratio: (ours / against).toFixed(2),
    goal: `≤ ${GOAL}`,
    met: ours / against <= GOAL,
  })
}
await closeDatabase()
