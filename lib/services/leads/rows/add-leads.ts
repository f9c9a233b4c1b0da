import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { loadZone, moveDays } from '#lib/domain/calendar/zoned-time'
import { hasLaunched } from '#lib/domain/campaigns/campaign-status'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { type AddedLeadCode, refusedLead } from '#lib/domain/leads/added-leads'
import { AppError } from '#lib/errors'
import { getCampaign, type Typed, typedCampaign } from '#lib/services/campaigns/campaigns'
import { goOn } from '#lib/services/campaigns/state'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'
import { campaignReach } from '#lib/services/leads/channels'
import { foundIn, type Reach } from '#lib/services/leads/enrolment-rule'
import { rowsOnList } from '#lib/services/leads/on-list'
import { identifyRows } from '#lib/services/leads/people/identify'
import { clockColumns, clocksOfRows } from '#lib/services/leads/rows/clocks'
import { judgeLeads, type Verdicts } from '#lib/services/leads/rows/judge-leads'
import { type LockedDataset, lockCampaignsOver, lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { readdressLeads } from '#lib/services/leads/rows/readdress'
import {
  filledKeys,
  inOrder,
  type KnownRow,
  type Skipped,
  sortRows,
} from '#lib/services/leads/rows/sort-rows'
import {
  describeDataset,
  insertRows,
  type KeptRow,
  overwriteRows,
  putBackCells,
  readCells,
} from '#lib/services/leads/rows/write-rows'
import { enrolRowsSql, UNLESS_ENROLLED } from '#lib/services/leads/state/enrolment'

type Given = z.output<typeof AddCampaignLeads.body>

/**
 * Adds rows to a campaign's dataset and, if the campaign is launched, to the campaign, by the same rule and
 * statement as a launch. Rows that the campaign would skip are reported and not stored.
 */
export async function addCampaignLeads(workspaceId: string, campaignId: string, given: Given, now: Date) {
  const { dataset_id } = await getCampaign(workspaceId, campaignId)
  const to = { workspace_id: workspaceId, campaign_id: campaignId, dataset_id }
  return inTransaction(pool(), (client) => addLeadsWithin(client, to, given, now))
}

type Into = { workspace_id: string; campaign_id: string; dataset_id: string }

/**
 * The same inside a transaction, which may hold no lock other than that of the dataset and then the campaign.
 */
export async function addLeadsWithin(client: PoolClient, to: Into, { rows, on_conflict }: Given, now: Date) {
  const { dataset_id } = to
  const dataset = await lockDataset(client, to.workspace_id, dataset_id)
  const isUpdate = on_conflict === 'update'
  const others = isUpdate ? await lockCampaignsOver(client, dataset_id) : []
  const campaign = await lockLaunched(client, to)
  const reach = await campaignReach(campaign)
  const sorted = await sortRows(client, dataset, rows)
  const written = isUpdate ? sorted.known : []
  const former = await readCells(client, dataset_id, written.map(toPlace))
  await overwriteRows(client, dataset_id, written)
  const verdicts = await placeAndJudge(client, { ...campaign, reach }, dataset, sorted)
  const added = await keepNew(client, dataset, sorted.added, verdicts)
  const known = divide(sorted.known, verdicts, hasLaunched(campaign))
  const updated = isUpdate ? [...known.there, ...known.joining] : []
  const kept = new Set(updated.map(toPlace))
  await putBackCells(
    client,
    dataset_id,
    former.filter((row) => !kept.has(row.lead_index)),
  )
  const grown = {
    columns: sorted.columns.withNew(filledKeys([...added.rows, ...updated])),
    added: added.rows.length,
    next_lead_index: dataset.next_lead_index + added.rows.length,
  }
  await describeDataset(client, dataset_id, grown, now)
  const places = known.joining.map(toPlace)
  if (hasLaunched(campaign)) await enrol(client, { ...campaign, reach }, [...added.places, ...places], now)
  await readdressLeads(client, others, updated.map(toPlace), now)
  const left = isUpdate ? [] : known.there.map(alreadyIn)
  return {
    added: added.rows.length + places.length,
    updated: isUpdate ? known.there.length : 0,
    skipped: inOrder<AddedLeadCode>([...sorted.skipped, ...added.skipped, ...known.skipped, ...left]),
  }
}

const toPlace = ({ lead_index }: { lead_index: number }) => lead_index

/** Locks the campaign if it is launched. Its dataset must be locked already. */
export async function lockLaunched(
  client: PoolClient,
  { workspace_id, campaign_id, dataset_id }: Into,
): Promise<Typed> {
  const { rows } = await client.query(
    'SELECT * FROM campaigns WHERE campaign_id = $1 AND workspace_id = $2 AND dataset_id = $3 FOR NO KEY UPDATE',
    [campaign_id, workspace_id, dataset_id],
  )
  const [row] = rows
  if (!row) throw new AppError('conflict')
  const campaign = typedCampaign(row)
  if (campaign.status === 'launching')
    throw new AppError('invalid_state', {
      message: 'The campaign is being launched. Add leads in a moment.',
    })
  return campaign
}

type Sorted = Awaited<ReturnType<typeof sortRows>>
type Reaching = Typed & { reach: Reach }

/** New rows are judged at the place they would get, existing ones with the cells they would have. */
async function placeAndJudge(
  client: PoolClient,
  campaign: Reaching,
  dataset: LockedDataset,
  { added, known }: Sorted,
): Promise<Verdicts> {
  const places = await insertRows(client, dataset, added)
  return judgeLeads(client, campaign, [...places, ...known.map(toPlace)])
}

const refused = ({ index }: KeptRow, reason: Parameters<typeof refusedLead>[0]) => ({
  index,
  ...refusedLead(reason),
})

/** Stores the new rows that become leads; they move up into the places of those that do not. */
async function keepNew(client: PoolClient, dataset: LockedDataset, given: KeptRow[], verdicts: Verdicts) {
  const first = dataset.next_lead_index
  const skipped = given.flatMap((row, index) => {
    const reason = verdicts.passedOver.get(first + index)
    return reason ? [refused(row, reason)] : []
  })
  const rows = given.filter((_, index) => !verdicts.passedOver.has(first + index))
  if (skipped.length === 0) return { rows, places: rows.map((_, index) => first + index), skipped }
  await client.query('DELETE FROM dataset_rows WHERE dataset_id = $1 AND lead_index >= $2', [
    dataset.dataset_id,
    first,
  ])
  return { rows, places: await insertRows(client, dataset, rows), skipped }
}

/**
 * Splits rows that the dataset already has: of a launched campaign, some are not leads yet and join it now.
 */
function divide(known: KnownRow[], { leads, passedOver }: Verdicts, isLaunched: boolean) {
  const isThere = ({ lead_index }: KnownRow) => !isLaunched || leads.has(lead_index)
  const others = known.filter((row) => !isThere(row))
  const skipped = others.flatMap((row) => {
    const reason = passedOver.get(row.lead_index)
    return reason ? [refused(row, reason)] : []
  })
  return {
    there: known.filter(isThere),
    joining: others.filter(({ lead_index }) => !passedOver.has(lead_index)),
    skipped,
  }
}

const alreadyIn = ({ index, lead_index }: KnownRow): Skipped<AddedLeadCode> => ({
  index,
  code: 'already_in_campaign',
  message: `This person is row ${lead_index + 1} of the dataset and already in the campaign.`,
})

/** Their first step is due as on a launch at this moment; a campaign without new leads gets some again. */
async function enrol(
  client: PoolClient,
  campaign: Reaching,
  leadIndexes: number[],
  now: Date,
): Promise<void> {
  if (leadIndexes.length === 0) return
  const { campaign_id, dataset_id, workspace_id, timezone, schedule_timezone, reach } = campaign
  const first = campaign.steps_config[0]
  const at = new Date(moveDays(loadZone(timezone), now.getTime(), first?.delay_days ?? 0))
  const of = { workspace_id, dataset_id, which: 'r.lead_index = ANY ($3::int[])', values: [leadIndexes] }
  const people = await identifyRows(client, of, reach.network)
  const listed = await rowsOnList(client, { ...of, which: 'r.lead_index = ANY ($5::int[])' })
  const keepsClocks = schedule_timezone === 'lead'
  const which = {
    rows: rowsByPlace('$2', 'r.workspace_id = $1 AND r.lead_index = ANY ($3)'),
    values: [workspace_id, dataset_id, leadIndexes],
  }
  const clocks = keepsClocks ? [...clockColumns(await clocksOfRows(client, which)), timezone] : []
  const enrol = enrolRowsSql(
    reach,
    { listed, people },
    foundIn('$1', reach),
    'r.lead_index = ANY ($7::int[])',
    keepsClocks ? 8 : null,
  )
  const { rowCount } = await client.query(`${enrol} ${UNLESS_ENROLLED}`, [
    ...[campaign_id, dataset_id, workspace_id, at, first && stepAction(first), now, leadIndexes],
    ...clocks,
  ])
  if (rowCount) await goOn(client, { campaign_id, at, is_new: true }, 'Leads were added.', now)
}
