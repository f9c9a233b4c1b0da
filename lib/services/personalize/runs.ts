import type { z } from 'zod'
import { Generation } from '#lib/contracts/personalize/generations'
import type { ListPersonalizationRuns, Personalize } from '#lib/contracts/personalize/personalize'
import { db, pool } from '#lib/db/client'
import type { PersonalizationRunModel } from '#lib/db/generated/models'
import { DbNull, storableJson } from '#lib/db/json'
import { firstRow, inOrder, orderBy } from '#lib/db/page'
import { RUNS_UNDER_WAY } from '#lib/domain/personalize/run-moves'
import { AppError } from '#lib/errors'
import { PersonalizeRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import type { Writer } from '#lib/providers/ai/port'
import {
  type Asked,
  buildMaterial,
  loadSources,
  snapshotNames,
  snapshotRow,
} from '#lib/services/personalize/material'
import { cancelOpenRun } from '#lib/services/personalize/state/runs'
import { writeText } from '#lib/services/personalize/write-text'
import { configuredWriter, findPrice } from '#lib/services/personalize/writer'
import { requireAiBudget, withinAiBudget } from '#lib/services/workspaces/ai-budget'

type RunRow = PersonalizationRunModel & { dataset: { dataset_name: string } }

const withName = { dataset: { select: { dataset_name: true } } }

const shown = ({ dataset, tokens_in, tokens_out, ...run }: RunRow) => ({
  ...run,
  dataset_name: dataset.dataset_name,
  tokens_in: Number(tokens_in),
  tokens_out: Number(tokens_out),
})

/** Queues a run. Template, profile and prompt are stored as they are now, so that all leads get the same. */
export async function startRun(
  workspaceId: string,
  body: z.output<typeof Personalize.body>,
  now: Date,
  writer: Writer = configuredWriter(),
) {
  await requireAiBudget(writer, workspaceId, now)
  const { total, template, sender, seed: _, form: __, ...sources } = await loadSources(workspaceId, body)
  const run = await db.personalizationRun.create({
    data: {
      ...sources,
      workspace_id: workspaceId,
      template: template ?? DbNull,
      sender: storableJson(sender),
      lead_indexes: body.lead_indexes ?? DbNull,
      model: writer.name,
      total,
      cost: findPrice(writer) ? 0 : null,
    },
  })
  await emit(PersonalizeRequested.create({ workspace_id: workspaceId, run_id: run.run_id }))
  return run
}

const SORTED_BY: Record<string, string> = {
  dataset_name: 'lower(d.dataset_name)',
  generated_count: 'r.generated_count',
  flagged_count: 'r.flagged_count',
  approved_count: 'r.approved_count',
  created_at: 'r.created_at',
}

export async function listRuns(workspaceId: string, query: z.output<typeof ListPersonalizationRuns.query>) {
  const { page, page_size, campaign_id, sort = '-created_at' } = query
  const where = { workspace_id: workspaceId, ...(campaign_id ? { campaign_id } : {}) }
  const [{ rows: ids }, total] = await Promise.all([
    pool().query<{ run_id: string }>(
      `SELECT r.run_id FROM personalization_runs r JOIN datasets d ON d.dataset_id = r.dataset_id
       WHERE r.workspace_id = $1 AND ($2::uuid IS NULL OR r.campaign_id = $2)
       ORDER BY ${orderBy(sort, SORTED_BY, 'r.run_id DESC')} OFFSET $3 LIMIT $4`,
      [workspaceId, campaign_id ?? null, firstRow({ page, page_size }), page_size],
    ),
    db.personalizationRun.count({ where }),
  ])
  const listed = ids.map(({ run_id }) => run_id)
  const unordered = await db.personalizationRun.findMany({
    where: { workspace_id: workspaceId, run_id: { in: listed } },
    include: withName,
  })
  const rows = inOrder(listed, unordered, ({ run_id }) => run_id)
  return { items: rows.map(shown), total, page, page_size }
}

export async function getRun(workspaceId: string, runId: string) {
  const row = await db.personalizationRun.findFirst({
    where: { run_id: runId, workspace_id: workspaceId },
    include: withName,
  })
  if (!row) throw new AppError('run_not_found')
  return shown(row)
}

/** Cancels a run. Its worker notices before the next lead; a call under way ends first. */
export async function cancelRun(workspaceId: string, runId: string, now: Date) {
  await getRun(workspaceId, runId)
  if (!(await cancelOpenRun(workspaceId, runId, now)))
    throw new AppError('invalid_state', { message: 'The run has already ended.' })
  return getRun(workspaceId, runId)
}

/** Writes texts for a few leads in parallel; nothing is stored. */
export async function previewRun(
  workspaceId: string,
  asked: Asked,
  now: Date,
  writer: Writer = configuredWriter(),
) {
  await requireAiBudget(writer, workspaceId, now)
  const budgeted = withinAiBudget(writer, workspaceId)
  const sources = await loadSources(workspaceId, asked)
  const rows = await db.datasetRow.findMany({
    where: {
      dataset_id: asked.dataset_id,
      workspace_id: workspaceId,
      ...(asked.lead_indexes && { lead_index: { in: asked.lead_indexes } }),
    },
    orderBy: { lead_index: 'asc' },
    ...(!asked.lead_indexes && { take: 3 }),
  })
  const leads = rows.map((row) => ({ row, snapshot: snapshotRow(row) }))
  const generations = await Promise.all(
    leads.map(async ({ row, snapshot }) => {
      const others = leads.flatMap((other) => (other.row === row ? [] : snapshotNames(other.snapshot)))
      return { ...NOTHING, ...(await previewLead(budgeted, sources, row.lead_index, snapshot, others)) }
    }),
  )
  return { generations, model: writer.name }
}

const NOTHING = {
  generation_id: null,
  subject: null,
  body: null,
  error: null,
  claims: [],
  flags: [],
  generated_at: null,
}

async function previewLead(
  writer: Writer,
  sources: Parameters<typeof buildMaterial>[0],
  lead_index: number,
  snapshot: Record<string, unknown>,
  others: string[],
) {
  const base = { lead_index, lead_snapshot: Generation.shape.lead_snapshot.parse(snapshot), model: null }
  const made = buildMaterial(sources, snapshot, lead_index)
  if (!made.ok) return { ...base, status: 'failed' as const, error: made.error }
  const result = await writeText(writer, made.material, others)
  if (result.outcome === 'later' || result.outcome === 'rejected')
    throw new AppError('provider_unavailable', { message: result.error })
  if (result.outcome !== 'written') return { ...base, status: 'failed' as const, error: result.error }
  const { tokens: _, ...text } = result.text
  return { ...base, status: 'generated' as const, ...text, model: writer.name, generated_at: new Date() }
}

/** Requests runs again whose event was lost or whose worker died. Returns how many. */
export async function askForStaleRuns(now: Date): Promise<number> {
  const stale = await db.personalizationRun.findMany({
    where: {
      status: { in: [...RUNS_UNDER_WAY] },
      updated_at: { lt: new Date(now.getTime() - 360_000) },
      OR: [{ lease_until: null }, { lease_until: { lt: now } }],
    },
    select: { workspace_id: true, run_id: true },
    take: 100,
  })
  for (const { workspace_id, run_id } of stale)
    await emit(PersonalizeRequested.create({ workspace_id, run_id }))
  return stale.length
}
