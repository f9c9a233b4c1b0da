import type { z } from 'zod'
import {
  CAMPAIGN_SORTS,
  type Campaign,
  type CreateCampaign,
  EditedCampaign,
  type ListCampaigns,
  type UpdateCampaign,
} from '#lib/contracts/campaigns'
import type { StepConfig } from '#lib/contracts/steps'
import { db, pool } from '#lib/db/client'
import { CAMPAIGN_COLUMNS } from '#lib/db/columns'
import type { CampaignModel } from '#lib/db/generated/models'
import { INSTANTS_AS_TEXT, type Shown } from '#lib/db/instants'
import { DbNull, type InputJsonValue } from '#lib/db/json'
import { likeText } from '#lib/db/like'
import { pageAndTotal } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { changedSteps, keepsTexts, mayDelete, refusedEdits } from '#lib/domain/campaign-status'
import { type CampaignType, misfits } from '#lib/domain/campaign-type'
import type { MessageTemplate } from '#lib/domain/render/template'
import { AppError, ValidationError } from '#lib/errors'
import { changesOfCampaign } from '#lib/services/campaign-changes'
import { logged } from '#lib/services/campaign-log'
import { checkReferences } from '#lib/services/campaign-references'
import {
  closeEdit,
  closeUndone,
  keptTexts,
  openEdit,
  putBack,
  takeTexts,
  unmovedSince,
} from '#lib/services/edit-log'
import { type EditTx, edit as writeEdit } from '#lib/services/edits'
import { bringLeadsInLine } from '#lib/services/live-edits'
import { keepRecipients } from '#lib/services/unsubscribes'

type Typed = Omit<CampaignModel, 'steps_config' | 'alias_ids' | 'type' | 'send_days'> &
  Pick<Campaign, 'steps_config' | 'alias_ids' | 'type' | 'send_days'>

/** What Prisma calls JSON and text, the contract knows better; writing went through the contract. */
export const typed = (row: CampaignModel): Typed => row as Typed

const FOUND = `user_id = $1 AND ($4::"CampaignStatus" IS NULL OR status = $4) AND ($5::text IS NULL OR name ILIKE $5)
  AND ($6::text IS NULL OR name = $6)`

/** Of a whole list, the total is kept by triggers: counting it anew would be most of the work of showing a page. */
const listSql = (total: string, found: string, order: (table: string) => string, page: string) =>
  `SELECT ${total} AS total, page.* FROM users u LEFT JOIN LATERAL (
     SELECT ${CAMPAIGN_COLUMNS} FROM campaigns c WHERE ${found} ORDER BY ${order('c')} ${page}) page ON true
   WHERE u.user_id = $1 ORDER BY ${order('page')}`
const LIST = listSql(
  'u.campaigns_count',
  'user_id = $1',
  (table) => `${table}.created_at DESC, ${table}.campaign_id DESC`,
  `OFFSET ${hidden('$2::int')} LIMIT ${hidden('$3::int')}`,
)

/** One text for each order, made once: none is made from what a caller says. */
const SEARCHES = new Map<string, string>(
  CAMPAIGN_SORTS.map((sort) => {
    const column = sort.replace('-', '')
    const direction = sort.startsWith('-') ? 'DESC' : 'ASC'
    const order = (table: string) =>
      column === 'name'
        ? `lower(${table}.name) ${direction}, ${table}.campaign_id DESC`
        : `${table}.${column} ${direction}${column === 'next_slot_at' ? ' NULLS LAST' : ''}, ${table}.campaign_id DESC`
    const total = `(SELECT count(*)::int FROM campaigns WHERE ${FOUND})`
    return [sort, listSql(total, FOUND, order, 'OFFSET $2 LIMIT $3')]
  }),
)

export async function listCampaigns(userId: string, query: z.output<typeof ListCampaigns.query>) {
  const { page, page_size, search, name, sort = '-created_at' } = query
  const status = query.status_filter ?? query.status
  const isWhole = !status && !search && !name && sort === '-created_at'
  const where = [status ?? null, search ? `%${likeText(search)}%` : null, name ?? null]
  const asked = prepared(isWhole ? LIST : (SEARCHES.get(sort) ?? LIST), [
    userId,
    (page - 1) * page_size,
    page_size,
    ...(isWhole ? [] : where),
  ])
  const { rows } = await pool().query<Shown<Typed> & { total: number }>({ ...asked, types: INSTANTS_AS_TEXT })
  const found = pageAndTotal<Shown<Typed>>(rows, 'campaign_id')
  return { campaigns: found?.items ?? [], total: found?.total ?? 0, page, page_size }
}

export async function getCampaign(userId: string, campaignId: string): Promise<Typed> {
  const row = await db.campaign.findFirst({ where: { campaign_id: campaignId, user_id: userId } })
  if (!row) throw new AppError('campaign_not_found')
  return typed(row)
}

/** Whether leads get, or were promised, what it says. */
export const isLaunched = async (userId: string, campaignId: string): Promise<boolean> =>
  keepsTexts((await getCampaign(userId, campaignId)).status)

export async function createCampaign(
  userId: string,
  fields: z.output<typeof CreateCampaign.body>,
): Promise<Typed> {
  checkSteps(fields.type, fields.steps_config)
  await checkReferences(userId, fields)
  const row = await db.campaign.create({
    data: { ...jsonColumns(fields), user_id: userId } as Parameters<typeof db.campaign.create>[0]['data'],
  })
  return typed(row)
}

/** 422 that names each step which a campaign of this type may not hold; what it `has` already it keeps. */
function checkSteps(type: CampaignType, steps: StepConfig[], has: StepConfig[] = []): void {
  const problems = misfits(type, steps).flatMap((index) => {
    const step = steps[index]
    if (!step || has.some((old) => same({ ...old, step: 0 }, { ...step, step: 0 }))) return []
    return [
      {
        loc: ['body', 'steps_config', `${index}`, 'channel'],
        msg: `step ${index + 1} is of ${step.channel}, which a campaign of type ${type} may not hold; type mixed may`,
        type: 'step_unfit',
      },
    ]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Prisma tells JSON null from no value; a column that holds none is SQL NULL. */
function jsonColumns<T extends { steps_config?: unknown; alias_ids?: unknown }>(fields: T) {
  const { steps_config, alias_ids, ...plain } = fields
  return {
    ...plain,
    ...(steps_config === undefined ? {} : { steps_config: steps_config as InputJsonValue }),
    ...(alias_ids === undefined ? {} : { alias_ids: (alias_ids ?? DbNull) as InputJsonValue }),
  }
}

type Fields = z.output<typeof UpdateCampaign.body>
export type Settings = Omit<Fields, 'playground_discovery_dismissed_at' | 'version'>

/**
 * What an edit would change, once it is known to be permitted: free in draft; scheduled and paused keep the dataset and
 * every step that a lead has reached; otherwise 409.
 */
export async function checkEdit(userId: string, campaignId: string, settings: Settings) {
  const before = await getCampaign(userId, campaignId)
  const changed = Object.keys(settings).filter((key) => !same(settings[key as never], before[key as never]))
  const reached_step = await reachedStep(campaignId)
  const refused = refusedEdits({
    status: before.status,
    changed,
    changed_steps: settings.steps_config ? changedSteps(before.steps_config, settings.steps_config) : [],
    reached_step,
  })
  if (refused.length > 0)
    throw new AppError('campaign_not_editable', {
      message: `A ${before.status} campaign keeps its ${refused.join(', ')}.`,
    })
  if (changed.includes('type') || changed.includes('steps_config'))
    checkSteps(
      settings.type ?? before.type,
      settings.steps_config ?? before.steps_config,
      changed.includes('type') ? [] : before.steps_config,
    )
  await checkReferences(userId, settings)
  return { before, changed, reached_step }
}

/** Of a launched campaign the answer names the edit, by which it can be undone. */
export async function updateCampaign(
  userId: string,
  campaignId: string,
  fields: Fields,
  now = new Date(),
  maySend = true,
): Promise<Typed & { edit_id: string | null }> {
  const { playground_discovery_dismissed_at, version, ...settings } = fields
  const edit = await checkEdit(userId, campaignId, settings)
  if (!maySend && edit.changed.length > 0 && keepsTexts(edit.before.status))
    throw new AppError('forbidden', {
      message: 'What a launched campaign sends is changed only with the scope send.',
    })
  const noted = playground_discovery_dismissed_at === undefined ? {} : { playground_discovery_dismissed_at }
  return applyEdit(edit.before, { ...edit, settings, noted, version, texts: new Map() }, now)
}

type Edit = {
  settings: Settings
  /** What is no setting, and written with them. */
  noted?: Pick<Fields, 'playground_discovery_dismissed_at'>
  /** The settings that differ. */
  changed: string[]
  reached_step: number
  /** The one that the edit was made from; none: whatever is there. */
  version?: number | null | undefined
  /** Words of templates that the campaign is to hold from now on. */
  texts: ReadonlyMap<string, MessageTemplate>
  /** The edit that this one takes back, and what refuses that once the claims wait. */
  undoes?: string
  check?: (tx: Pick<typeof db, 'action'>) => Promise<void>
}

/** Writes an edit, and of a launched campaign what it replaced, in one transaction with what becomes of its leads. */
export async function applyEdit(
  before: Typed,
  { settings, noted = {}, changed, reached_step, version, texts, undoes, check }: Edit,
  now: Date,
): Promise<Typed & { edit_id: string | null }> {
  const { campaign_id, user_id, status } = before
  const isLive = keepsTexts(status) && (changed.length > 0 || texts.size > 0)
  const changes = isLive ? await changesOfCampaign(before, { ...before, ...settings }, texts) : []
  // The row is locked by then: claims wait, so that an edit falls between two of them.
  const write = async (tx: EditTx) => {
    await check?.(tx)
    const held = await keptTexts(tx, campaign_id)
    const [row] = await tx.campaign.updateManyAndReturn({
      // Guarded by the status read above, so a launch that begins meanwhile is not edited.
      where: { campaign_id, user_id, ...(changed.length > 0 ? { status } : {}) },
      data: { ...jsonColumns(settings), ...noted },
    })
    if (!row) throw new AppError('conflict')
    const after = typed(row)
    if (!isLive) return { ...after, edit_id: null }
    await takeTexts(tx, before, texts, now)
    const edit_id = await openEdit(
      tx,
      before,
      changed.some((key) => MOVES_LEADS.has(key)),
      now,
    )
    const taken = undoes === undefined ? [] : await unmovedSince(tx, undoes)
    const moved = await bringLeadsInLine(tx, before, after, reached_step, now)
    if (undoes !== undefined) await putBack(tx, undoes, taken)
    if (undoes !== undefined) await closeUndone(tx, undoes, now)
    const isThere = await keptTexts(tx, campaign_id)
    await closeEdit(tx, edit_id, {
      before: { settings: pick(before, changed), texts: differing(held, isThere) },
      after: { settings: pick(after, changed), texts: differing(isThere, held) },
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
    key: { campaign_id, user_id },
    version,
    missing: 'campaign_not_found',
    current: async () =>
      EditedCampaign.parse({ ...(await getCampaign(user_id, campaign_id)), edit_id: null }),
    write,
  })
}

/** Edits of these bring waiting leads in line. */
const MOVES_LEADS = new Set(['steps_config', 'alias_ids', 'connected_account_id'])

const pick = (of: Typed, keys: string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, of[key as keyof Typed]]))

const differing = (
  texts: ReadonlyMap<string, MessageTemplate>,
  others: ReadonlyMap<string, MessageTemplate>,
) => Object.fromEntries([...texts].filter(([id, text]) => !same(text, others.get(id))))

export const same = (a: unknown, b: unknown) => changedSteps([a], [b]).length === 0

/** The highest step that any lead has begun; 0 before the first. */
export async function reachedStep(campaignId: string): Promise<number> {
  const { _max } = await db.action.aggregate({ where: { campaign_id: campaignId }, _max: { step: true } })
  return _max.step ?? 0
}

export async function deleteCampaign(userId: string, campaignId: string): Promise<void> {
  const campaign = await getCampaign(userId, campaignId)
  if (!mayDelete(campaign.status)) throw new AppError('campaign_not_deletable')
  const [, { count }] = await db.$transaction([
    keepRecipients(campaignId),
    db.campaign.deleteMany({
      where: { campaign_id: campaignId, user_id: userId, status: campaign.status },
    }),
  ])
  if (count === 0) throw new AppError('conflict')
}
