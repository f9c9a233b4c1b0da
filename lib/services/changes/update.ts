import type { z } from 'zod'
import { EditedCampaign } from '#lib/contracts/campaigns/campaign'
import type { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { toStatements } from '#lib/db/statements'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import { changedSteps, keepsTexts, mayDispatch, refusedEdits } from '#lib/domain/campaigns/campaign-status'
import { leanTexts } from '#lib/domain/messages/lean-html'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { AppError } from '#lib/errors'
import {
  checkSteps,
  getCampaign,
  isSame,
  jsonColumns,
  type Typed,
  typedCampaign,
} from '#lib/services/campaigns/campaigns'
import { countsAlike, recountDays } from '#lib/services/campaigns/days/counted-days'
import { checkHolidays } from '#lib/services/campaigns/days/holidays'
import { logged } from '#lib/services/campaigns/decision-log'
import { changesOfCampaign } from '#lib/services/changes/differences'
import {
  closeEdit,
  closeUndone,
  keptTexts,
  openEdit,
  takeTexts,
  unmovedSince,
} from '#lib/services/changes/edit-log'
import { moveWaitingLeads } from '#lib/services/changes/waiting-leads'
import { requireGiven } from '#lib/services/instance/given-senders'
import { type EditTx, edit as writeEdit } from '#lib/services/instance/versioned-edit'
import { putBack } from '#lib/services/leads/state/edits'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { checkReferences } from '#lib/services/messages/references'
import { releaseHeldLeads } from '#lib/services/sending/approved-texts'

type Fields = z.output<typeof UpdateCampaign.body>
export type Settings = Omit<Fields, 'playground_discovery_dismissed_at' | 'version'>

/**
 * What an edit would change, after checking that it is permitted: everything in draft; a scheduled or paused campaign keeps its dataset and
 * every step that a lead has reached; other statuses get 409.
 */
export async function checkEdit(workspaceId: string, campaignId: string, settings: Settings) {
  const before = await getCampaign(workspaceId, campaignId)
  // Compared in the form that a save would store, so that markup which a save strips does not count as a change.
  const kept = before.steps_config.map((step) => ({ ...step, ...leanTexts(step) }))
  const was: Record<string, unknown> = { ...before, steps_config: kept }
  const changed = Object.entries(settings).flatMap(([key, value]) => (isSame(value, was[key]) ? [] : [key]))
  const reached_step = await reachedStep(campaignId)
  const refused = refusedEdits({
    status: before.status,
    changed,
    changed_steps: settings.steps_config ? changedSteps(kept, settings.steps_config) : [],
    reached_step,
  })
  if (refused.length > 0)
    throw new AppError('campaign_not_editable', {
      message: `While a campaign is ${before.status}, you cannot change its ${refused.join(', ')}.`,
    })
  if (changed.includes('type') || changed.includes('steps_config'))
    checkSteps(
      settings.type ?? before.type,
      settings.steps_config ?? before.steps_config,
      changed.includes('type') ? [] : before.steps_config,
    )
  await checkReferences(workspaceId, settings, before)
  if (changed.includes('holiday_country') || changed.includes('holiday_region'))
    await checkHolidays({ ...before, ...settings })
  // A draft is checked when it is launched.
  if (before.status !== 'draft' && changed.some((key) => MOVES_LEADS.has(key)))
    await requireGiven({
      ...before,
      alias_ids: settings.alias_ids === undefined ? before.alias_ids : settings.alias_ids,
      connected_account_id:
        settings.connected_account_id === undefined
          ? before.connected_account_id
          : settings.connected_account_id,
      steps_config: settings.steps_config ?? before.steps_config,
    })
  return { before, changed, reached_step }
}

/** Edits a campaign. For a launched campaign the answer names the edit, by which it can be undone. */
export async function updateCampaign(
  workspaceId: string,
  campaignId: string,
  fields: Fields,
  now: Date,
  maySend = true,
): Promise<Typed & { edit_id: string | null }> {
  const { playground_discovery_dismissed_at, version, ...given } = fields
  const settings = settleSchedule(given)
  const noted = playground_discovery_dismissed_at === undefined ? {} : { playground_discovery_dismissed_at }
  for (let tries = 1; ; tries++) {
    const edit = await checkEdit(workspaceId, campaignId, settings)
    if (!maySend && edit.changed.length > 0 && keepsTexts(edit.before.status))
      throw new AppError('forbidden', {
        message: 'Changing what a launched campaign sends requires the scope send.',
      })
    try {
      return await applyEdit(edit.before, { ...edit, settings, noted, version, texts: new Map() }, now)
    } catch (error) {
      // A caller without a version edits the current state: after a concurrent edit, the change is checked again against the new state.
      const isAnother = error instanceof AppError && error.code === 'changed_meanwhile'
      if (!isAnother || version || tries === MOST_TRIES) throw error
    }
  }
}

const MOST_TRIES = 5

type Edit = {
  settings: Settings
  /** Written along with the settings, but not a setting itself. */
  noted?: Pick<Fields, 'playground_discovery_dismissed_at'>
  /** The settings that differ. */
  changed: string[]
  reached_step: number
  /** The version that the edit was made from; without one, the version it was checked against. */
  version?: number | null | undefined
  /** Template texts that the campaign stores from now on. */
  texts: ReadonlyMap<string, MessageTemplate>
  /** The edit that this one undoes, and the check that refuses it once claims wait. */
  undoes?: string
  check?: (tx: Pick<typeof db, 'action'>) => Promise<void>
}

/** Writes an edit in one transaction: the settings, for a launched campaign what they replaced, and the effect on its leads. */
export async function applyEdit(
  before: Typed,
  { settings, noted = {}, changed, reached_step, version, texts, undoes, check }: Edit,
  now: Date,
): Promise<Typed & { edit_id: string | null }> {
  const { campaign_id, workspace_id, status } = before
  const isLive = keepsTexts(status) && (changed.length > 0 || texts.size > 0)
  const changes = isLive ? await changesOfCampaign(before, { ...before, ...settings }, texts) : []
  // The row is locked by now, so claims wait and an edit never overlaps one.
  const write = async (tx: EditTx) => {
    await check?.(tx)
    // The campaign was resumed and paused again meanwhile, so a lead may have reached the step that the edit changes.
    if (changed.includes('steps_config') && (await reachedStep(campaign_id, tx)) !== reached_step)
      throw new AppError('conflict')
    const textsBefore = await keptTexts(tx, campaign_id)
    const [row] = await tx.campaign.updateManyAndReturn({
      // Guarded by the status read above, so a launch that begins meanwhile is not edited.
      where: { campaign_id, workspace_id, ...(changed.length > 0 ? { status } : {}) },
      data: { ...jsonColumns(settings), ...noted },
    })
    if (!row) throw new AppError('conflict')
    const after = typedCampaign(row)
    if (!isLive) return { ...after, edit_id: null }
    await takeTexts(tx, before, texts, now)
    // Files that leads were held for may be there now.
    if (texts.size > 0 && mayDispatch(row.status)) await releaseHeldLeads(toStatements(tx), campaign_id, now)
    const edit_id = await openEdit(
      tx,
      before,
      changed.some((key) => MOVES_LEADS.has(key)),
      now,
    )
    const taken = undoes === undefined ? [] : await unmovedSince(tx, undoes)
    const moved = await moveWaitingLeads(tx, before, after, reached_step, now)
    if (!countsAlike(before, after)) await recountDays(toStatements(tx), before, after, now)
    if (undoes !== undefined) {
      await putBack(toStatements(tx), undoes, taken)
      await forgetGoneSenders(toStatements(tx), taken)
      await closeUndone(tx, undoes, now)
    }
    const isThere = await keptTexts(tx, campaign_id)
    await closeEdit(tx, edit_id, {
      before: { settings: pick(before, changed), texts: differing(textsBefore, isThere) },
      after: { settings: pick(after, changed), texts: differing(isThere, textsBefore) },
      changes,
    })
    const detail = {
      changed,
      edit_id,
      ...(undoes ? { undoes } : {}),
      ...(texts.size > 0 ? { texts: [...texts.keys()] } : {}),
      ...moved,
    }
    await tx.campaignEvent.create({ data: logged(row, 'edited', now, { detail }) })
    return { ...after, edit_id }
  }
  return writeEdit({
    table: 'campaigns',
    key: { campaign_id, workspace_id },
    version: version ?? before.version,
    missing: 'campaign_not_found',
    current: async () =>
      EditedCampaign.parse({ ...(await getCampaign(workspace_id, campaign_id)), edit_id: null }),
    write,
  })
}

/** Edits of these fields also move waiting leads. */
const MOVES_LEADS = new Set(['steps_config', 'alias_ids', 'connected_account_id'])

const pick = (of: Record<string, unknown>, keys: string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, of[key]]))

const differing = (
  texts: ReadonlyMap<string, MessageTemplate>,
  others: ReadonlyMap<string, MessageTemplate>,
) => Object.fromEntries([...texts].filter(([id, text]) => !isSame(text, others.get(id))))

/** The highest step that any lead has reached; 0 before the first. */
export async function reachedStep(campaignId: string, tx: Pick<typeof db, 'action'> = db): Promise<number> {
  const { _max } = await tx.action.aggregate({ where: { campaign_id: campaignId }, _max: { step: true } })
  return _max.step ?? 0
}
