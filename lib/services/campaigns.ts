import type { z } from 'zod'
import {
  CAMPAIGN_SORTS,
  Campaign,
  type CreateCampaign,
  type ListCampaigns,
  type UpdateCampaign,
} from '#lib/contracts/campaigns'
import { db, pool } from '#lib/db/client'
import { CAMPAIGN_COLUMNS } from '#lib/db/columns'
import type { CampaignModel } from '#lib/db/generated/models'
import { INSTANTS_AS_TEXT, type Shown } from '#lib/db/instants'
import { DbNull, type InputJsonValue } from '#lib/db/json'
import { likeText } from '#lib/db/like'
import { pageAndTotal } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { changedSteps, mayDelete, refusedEdits } from '#lib/domain/campaign-status'
import { AppError } from '#lib/errors'
import { logged } from '#lib/services/campaign-log'
import { checkReferences } from '#lib/services/campaign-references'
import { type EditTx, edit } from '#lib/services/edits'
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

export async function createCampaign(
  userId: string,
  fields: z.output<typeof CreateCampaign.body>,
): Promise<Typed> {
  await checkReferences(userId, fields)
  const row = await db.campaign.create({
    data: { ...jsonColumns(fields), user_id: userId } as Parameters<typeof db.campaign.create>[0]['data'],
  })
  return typed(row)
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

/** Free in draft; scheduled and paused keep the dataset and every step that a lead has reached; otherwise 409. */
export async function updateCampaign(
  userId: string,
  campaignId: string,
  fields: z.output<typeof UpdateCampaign.body>,
  now = new Date(),
) {
  const before = await getCampaign(userId, campaignId)
  const { playground_discovery_dismissed_at, version, ...settings } = fields
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
  await checkReferences(userId, settings)
  const write = async (tx: EditTx) => {
    const [row] = await tx.campaign.updateManyAndReturn({
      // Guarded by the status read above, so a launch that begins meanwhile is not edited.
      where: {
        campaign_id: campaignId,
        user_id: userId,
        ...(changed.length > 0 ? { status: before.status } : {}),
      },
      data: {
        ...jsonColumns(settings),
        ...(playground_discovery_dismissed_at === undefined ? {} : { playground_discovery_dismissed_at }),
      },
    })
    if (!row) throw new AppError('conflict')
    const after = typed(row)
    if (changed.length > 0 && before.status !== 'draft') {
      const moved = await bringLeadsInLine(tx, before, after, reached_step, now)
      await tx.campaignEvent.create({ data: logged(row, 'edited', now, { detail: { changed, ...moved } }) })
    }
    return after
  }
  return edit({
    table: 'campaigns',
    key: { campaign_id: campaignId, user_id: userId },
    version,
    missing: 'campaign_not_found',
    current: async () => Campaign.parse(await getCampaign(userId, campaignId)),
    write,
  })
}

const same = (a: unknown, b: unknown) => changedSteps([a], [b]).length === 0

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
