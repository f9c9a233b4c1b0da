import type { z } from 'zod'
import {
  type CreateView,
  type ListViews,
  type UpdateView,
  VIEW_FILTERS,
  View,
} from '#lib/contracts/leads/views'
import { db } from '#lib/db/client'
import { Prisma } from '#lib/db/generated/client'
import { storableJson } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { AppError, invalid } from '#lib/errors'
import { takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

const MAX_VIEWS = 200
const NAMES = { people: 'people', inbox: 'conversations' }

export async function listViews(
  workspace_id: string,
  { list, page, page_size }: z.output<typeof ListViews.query>,
) {
  const where = { workspace_id, list }
  const [items, total] = await Promise.all([
    db.view.findMany({ where, orderBy: { name: 'asc' }, ...rowsOfPage({ page, page_size }) }),
    db.view.count({ where }),
  ])
  return { items: items.map((row) => View.parse(row)), total, page, page_size }
}

export async function createView(workspace_id: string, view: z.output<typeof CreateView.body>) {
  const row = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspace_id)
    if ((await tx.view.count({ where: { workspace_id } })) >= MAX_VIEWS) throw new AppError('views_full')
    const data = { list: 'people', ...view, workspace_id, filters: storableJson(view.filters) }
    return named(() => tx.view.create({ data }))
  })
  return View.parse(row)
}

async function findView(workspace_id: string, view_id: string): Promise<View> {
  const row = await db.view.findFirst({ where: { view_id, workspace_id } })
  if (!row) throw new AppError('view_not_found')
  return View.parse(row)
}

export async function updateView(
  workspace_id: string,
  view_id: string,
  { version, name, filters, columns }: z.output<typeof UpdateView.body>,
) {
  const key = { view_id, workspace_id }
  const { list } = await findView(workspace_id, view_id)
  const foreign = Object.keys(filters ?? {}).find((name) => !(name in VIEW_FILTERS[list].shape))
  if (foreign) throw invalid(['body', 'filters', foreign], `is not a filter for ${NAMES[list]}`)
  if (list === 'inbox' && columns?.length) throw invalid(['body', 'columns'], 'apply to people only')
  const data = {
    ...(name && { name }),
    ...(filters && { filters: storableJson(filters) }),
    ...(columns && { columns }),
  }
  const row = await edit({
    table: 'views',
    key,
    version,
    missing: 'view_not_found',
    current: () => findView(workspace_id, view_id),
    write: (tx) => named(() => tx.view.update({ where: key, data })),
  })
  return View.parse(row)
}

export async function deleteView(workspace_id: string, view_id: string): Promise<void> {
  const { count } = await db.view.deleteMany({ where: { view_id, workspace_id } })
  if (count === 0) throw new AppError('view_not_found')
}

/** View names must be unique, so that they can be told apart. */
async function named<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
      throw new AppError('view_exists')
    throw error
  }
}
