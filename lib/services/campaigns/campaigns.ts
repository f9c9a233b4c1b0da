import type { z } from 'zod'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { CAMPAIGN_SORTS, type CreateCampaign, type ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db, pool } from '#lib/db/client'
import { CAMPAIGN_COLUMNS } from '#lib/db/columns'
import type { CampaignModel } from '#lib/db/generated/models'
import { INSTANTS_AS_TEXT, type Shown } from '#lib/db/instants'
import { DbNull, storableJson } from '#lib/db/json'
import { likeText } from '#lib/db/like'
import { firstRow, pageAndTotal } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import { changedSteps, keepsTexts } from '#lib/domain/campaigns/campaign-status'
import { type CampaignType, disallowedSteps } from '#lib/domain/campaigns/campaign-type'
import type { Shares } from '#lib/domain/campaigns/sender-rotation'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, ValidationError } from '#lib/errors'
import { checkHolidays } from '#lib/services/campaigns/days/holidays'
import { givenMailboxes } from '#lib/services/instance/given-senders'
import { checkReferences } from '#lib/services/messages/references'

type JsonFields = 'steps_config' | 'alias_ids' | 'sending_windows'
export type Typed = Omit<CampaignModel, JsonFields | 'type' | 'send_days' | 'member_shares'> &
  Pick<Campaign, JsonFields | 'type' | 'send_days'> & { member_shares: Shares }

/**
 * Prisma types these columns as plain JSON and text. The contract's types are narrower and hold, because every write was validated by the
 * contract.
 */
export const typedCampaign = (row: CampaignModel): Typed => row as Typed

const FOUND = `workspace_id = $1 AND ($4::"CampaignStatus" IS NULL OR status = $4) AND ($5::text IS NULL OR name ILIKE $5)
  AND ($6::text IS NULL OR name = $6) AND ($7::uuid IS NULL OR user_id = $7)`

/** For an unfiltered list the total comes from a count that triggers maintain: counting would be most of the work of showing a page. */
const listSql = (total: string, matching: string, order: (table: string) => string, page: string) =>
  `SELECT ${total} AS total, page.*, coalesce(nullif(u.name, ''), u.email) AS owner_name FROM workspaces w LEFT JOIN LATERAL (
     SELECT ${CAMPAIGN_COLUMNS} FROM campaigns c WHERE ${matching} ORDER BY ${order('c')} ${page}) page ON true
   LEFT JOIN users u ON u.user_id = page.user_id
   WHERE w.workspace_id = $1 ORDER BY ${order('page')}`
const LIST = listSql(
  'w.campaigns_count',
  'workspace_id = $1',
  (table) => `${table}.created_at DESC, ${table}.campaign_id DESC`,
  `OFFSET ${hidden('$2::int')} LIMIT ${hidden('$3::int')}`,
)

/** One SQL text per sort order, built once. None is built from caller input. */
const SEARCHES = new Map<string, string>(
  CAMPAIGN_SORTS.map((sort) => {
    const column = sort.replace('-', '')
    const last = ['next_slot_at', 'total_leads'].includes(column) ? ' NULLS LAST' : ''
    const direction = sort.startsWith('-') ? 'DESC' : 'ASC'
    const order = (table: string) =>
      column === 'name'
        ? `lower(${table}.name) ${direction}, ${table}.campaign_id DESC`
        : `${table}.${column} ${direction}${last}, ${table}.campaign_id DESC`
    const total = `(SELECT count(*)::int FROM campaigns WHERE ${FOUND})`
    return [sort, listSql(total, FOUND, order, 'OFFSET $2 LIMIT $3')]
  }),
)

type Owned = Typed & { owner_name: string }

export async function listCampaigns(
  { workspace_id, user_id }: Maker,
  query: z.output<typeof ListCampaigns.query>,
) {
  const { page, page_size, search, name, owner, sort = '-created_at' } = query
  const status = query.status_filter ?? query.status
  const isWhole = !status && !search && !name && !owner && sort === '-created_at'
  const ownerId = owner === 'me' ? user_id : (owner ?? null)
  const where = [status ?? null, search ? `%${likeText(search)}%` : null, name ?? null, ownerId]
  const asked = prepared(isWhole ? LIST : (SEARCHES.get(sort) ?? LIST), [
    workspace_id,
    firstRow({ page, page_size }),
    page_size,
    ...(isWhole ? [] : where),
  ])
  const { rows } = await pool().query<Shown<Owned> & { total: number }>({ ...asked, types: INSTANTS_AS_TEXT })
  const matching = pageAndTotal<Shown<Owned>>(rows, 'campaign_id')
  return { campaigns: matching?.items ?? [], total: matching?.total ?? 0, page, page_size }
}

/** How many campaigns have each status, given the other filters of a list. */
export async function countByStatus(
  { workspace_id, user_id }: Maker,
  { search, name, owner }: Pick<z.output<typeof ListCampaigns.query>, 'search' | 'name' | 'owner'>,
): Promise<Record<string, number>> {
  const rows = await db.campaign.groupBy({
    by: ['status'],
    where: {
      workspace_id,
      ...(owner && { user_id: owner === 'me' ? user_id : owner }),
      AND: [
        ...(search ? [{ name: { contains: likeText(search), mode: 'insensitive' as const } }] : []),
        ...(name ? [{ name }] : []),
      ],
    },
    _count: true,
  })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}

export async function getCampaign(workspaceId: string, campaignId: string): Promise<Typed> {
  const row = await db.campaign.findFirst({ where: { campaign_id: campaignId, workspace_id: workspaceId } })
  if (!row) throw new AppError('campaign_not_found')
  return typedCampaign(row)
}

const PERSON = { user_id: true, name: true, email: true } as const

/** The campaign as members are shown it, with its owner's name. */
export async function readCampaign(workspaceId: string, campaignId: string): Promise<Owned> {
  const row = await db.campaign.findFirst({
    where: { campaign_id: campaignId, workspace_id: workspaceId },
    include: { user: { select: PERSON } },
  })
  if (!row) throw new AppError('campaign_not_found')
  const { user, ...campaign } = row
  return { ...typedCampaign(campaign), owner_name: user.name || user.email }
}

/** Members who own campaigns in a workspace, by name. */
export async function listOwners(workspaceId: string) {
  const people = await db.user.findMany({
    where: {
      memberships: { some: { workspace_id: workspaceId } },
      campaigns: { some: { workspace_id: workspaceId } },
    },
    select: PERSON,
    orderBy: [{ name: 'asc' }, { user_id: 'asc' }],
    take: 200,
  })
  return people.map(({ user_id, name, email }) => ({ user_id, name: name || email }))
}

/** Whether the campaign was launched or scheduled, so that its texts reach leads or are promised to them. */
export const isLaunched = async (workspaceId: string, campaignId: string): Promise<boolean> =>
  keepsTexts((await getCampaign(workspaceId, campaignId)).status)

export async function createCampaign(
  { workspace_id, user_id }: Maker,
  fields: z.output<typeof CreateCampaign.body>,
): Promise<Typed> {
  checkSteps(fields.type, fields.steps_config)
  await checkReferences(workspace_id, fields)
  await checkHolidays(fields)
  const given = fields.alias_ids ? null : await givenMailboxes({ workspace_id, user_id })
  const alias_ids = given?.length ? given : fields.alias_ids
  const row = await db.campaign.create({
    data: { ...jsonColumns({ ...settleSchedule(fields), alias_ids }), workspace_id, user_id },
  })
  return typedCampaign(row)
}

/** 422 that names each step that a campaign of this type may not hold. Steps that it `has` already are allowed. */
export function checkSteps(type: CampaignType, steps: StepConfig[], has: StepConfig[] = []): void {
  const problems = disallowedSteps(type, steps).flatMap((index) => {
    const step = steps[index]
    if (!step || has.some((old) => isSame({ ...old, step: 0 }, { ...step, step: 0 }))) return []
    return [
      {
        loc: ['body', 'steps_config', `${index}`, 'channel'],
        msg: `step ${index + 1} is a ${step.channel} step, which a campaign of type ${type} cannot have; use type mixed`,
        type: 'step_unfit',
      },
    ]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Prisma distinguishes JSON null from SQL NULL; a column without a value is set to SQL NULL. */
export function jsonColumns<T extends { [field in JsonFields]?: unknown }>(fields: T) {
  const { steps_config, alias_ids, sending_windows, ...plain } = fields
  return {
    ...plain,
    ...(steps_config === undefined ? {} : { steps_config: storableJson(steps_config) }),
    ...(alias_ids === undefined ? {} : { alias_ids: alias_ids ? storableJson(alias_ids) : DbNull }),
    ...(sending_windows === undefined
      ? {}
      : { sending_windows: sending_windows ? storableJson(sending_windows) : DbNull }),
  }
}

export const isSame = (a: unknown, b: unknown) => changedSteps([a], [b]).length === 0
