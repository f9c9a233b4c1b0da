import { z } from 'zod'
import { type EditGeneration, Generation, type ListGenerations } from '#lib/contracts/personalize/generations'
import { db } from '#lib/db/client'
import type { GenerationModel, PersonalizationRunModel } from '#lib/db/generated/models'
import { storableJson } from '#lib/db/json'
import { rowsBefore } from '#lib/db/page'
import { findFlags } from '#lib/domain/personalize/evidence'
import { changedCells } from '#lib/domain/personalize/review'
import { isRunUnderWay } from '#lib/domain/personalize/run-moves'
import { AppError } from '#lib/errors'
import type { Writer } from '#lib/providers/ai/port'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { recount } from '#lib/services/personalize/counts'
import { buildMaterial, snapshotRow } from '#lib/services/personalize/material'
import { getRun } from '#lib/services/personalize/runs'
import { beginRewrite, dropRewrite, editText, rewriteText } from '#lib/services/personalize/state/review'
import { storedClaims, storedFlags, storedLead, storedSources } from '#lib/services/personalize/stored'
import { writeText } from '#lib/services/personalize/write-text'
import { configuredWriter, findPrice, tokenCost } from '#lib/services/personalize/writer'
import { requireAiBudget, withinAiBudget } from '#lib/services/workspaces/ai-budget'

const Cells = z.record(z.string(), z.string()).nullable()

/** Adds the cells that changed since a text was approved, so that a person can decide whether it still holds. */
async function shown(rows: GenerationModel[], datasetId: string) {
  const current = await currentRows(rows, datasetId)
  return rows.map((row) => ({
    ...row,
    lead_snapshot: Generation.shape.lead_snapshot.parse(row.lead_snapshot),
    claims: storedClaims(row),
    flags: storedFlags(row),
    changed_cells: changedUnder(row, current.get(row.lead_index)),
  }))
}

async function currentRows(rows: GenerationModel[], datasetId: string) {
  const approved = rows.flatMap((row) => (row.approved_at ? [row.lead_index] : []))
  if (approved.length === 0) return new Map<number, Record<string, unknown>>()
  const stored = await db.datasetRow.findMany({
    where: { dataset_id: datasetId, lead_index: { in: approved } },
  })
  return new Map(stored.map((row) => [row.lead_index, snapshotRow(row)]))
}

function changedUnder(row: GenerationModel, current: Record<string, unknown> | undefined): string[] {
  const { seal, body, approved_at } = row
  if (!approved_at || !seal || body === null || !current) return []
  const approved_cells = Cells.parse(row.approved_cells)
  const sealed = { lead_snapshot: storedLead(row), claims: storedClaims(row), approved_cells }
  return changedCells({ subject: row.subject, seal, body, ...sealed }, current) ?? []
}

/**
 * One page of a run, in the order of the dataset. If a run over all rows has no gaps, row numbers run from 0 to its progress, and a deep
 * page is found by number; after rows were added or removed by hand, or for a run over some rows, they are counted.
 */
export async function listGenerations(
  workspaceId: string,
  runId: string,
  { offset, limit }: z.output<typeof ListGenerations.query>,
) {
  const run = await getRun(workspaceId, runId)
  const where = { run_id: runId, workspace_id: workspaceId }
  const orderBy = { lead_index: 'asc' as const }
  const { next_lead_index } = await db.dataset.findFirstOrThrow({ where: { dataset_id: run.dataset_id } })
  const isWhole = run.lead_indexes === null && next_lead_index === 0
  const first = rowsBefore(offset)
  const [rows, total_generations] = await Promise.all([
    isWhole
      ? db.generation.findMany({
          where: { ...where, lead_index: { gte: first, lt: first + limit } },
          orderBy,
        })
      : db.generation.findMany({ where, orderBy, skip: first, take: limit }),
    isWhole ? run.next_index : db.generation.count({ where }),
  ])
  const has_more = offset + rows.length < total_generations
  return { generations: await shown(rows, run.dataset_id), total_generations, offset, limit, has_more }
}

type Found = GenerationModel & { run: PersonalizationRunModel }

/** A text of the owner whose run has ended: only then may a person change it. */
export async function reviewable(workspaceId: string, generationId: string): Promise<Found> {
  const row = await db.generation.findFirst({
    where: { generation_id: generationId, workspace_id: workspaceId },
    include: { run: true },
  })
  if (!row) throw new AppError('generation_not_found')
  if (isRunUnderWay(row.run.status)) throw new AppError('run_not_reviewable')
  return row
}

export const getGeneration = async (workspaceId: string, generationId: string) => {
  const row = await db.generation.findFirst({
    where: { generation_id: generationId, workspace_id: workspaceId },
    include: { run: { select: { dataset_id: true } } },
  })
  const [text] = row ? await shown([row], row.run.dataset_id) : []
  if (!text) throw new AppError('generation_not_found')
  return text
}

/** Stores the owner's own text, checked by the same rules. An earlier approval does not carry over. */
export async function editGeneration(
  workspaceId: string,
  generationId: string,
  fields: z.output<typeof EditGeneration.body>,
  now: Date,
) {
  const row = await reviewable(workspaceId, generationId)
  const sources = await storedSources(row.run)
  const key = { generation_id: generationId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    const before = await tx.generation.findFirstOrThrow({ where: key })
    const text = { subject: fields.subject ?? before.subject ?? '', body: fields.body ?? before.body ?? '' }
    const made = buildMaterial(sources, storedLead(before), before.lead_index)
    const claims = storedClaims(before).filter((claim) =>
      `${text.subject}\n${text.body}`.includes(claim.text),
    )
    const inThread = made.ok && made.material.template?.subject === ''
    const limits = sources.form ? { longest: sources.form.longest } : { subject_needed: !inThread }
    const flags = made.ok ? findFlags({ ...text, claims }, made.material, limits) : []
    const at = { edited_at: now, generated_at: before.generated_at ?? now }
    await editText(tx, key, { ...text, claims, flags }, at)
  }
  await edit({
    table: 'generations',
    key,
    version: fields.version,
    missing: 'generation_not_found',
    current: async () => Generation.parse(await getGeneration(workspaceId, generationId)),
    write,
  })
  await recount(row.run_id)
  return getGeneration(workspaceId, generationId)
}

/** Writes a text again from the lead's current cells. The row is marked before the call, so that two concurrent requests cost one call. */
export async function regenerateGeneration(
  workspaceId: string,
  generationId: string,
  now: Date,
  writer: Writer = configuredWriter(),
) {
  const row = await reviewable(workspaceId, generationId)
  const current = await db.datasetRow.findFirst({
    where: { dataset_id: row.run.dataset_id, workspace_id: workspaceId, lead_index: row.lead_index },
  })
  if (!current) throw new AppError('lead_not_found')
  const snapshot = snapshotRow(current)
  const made = buildMaterial(await storedSources(row.run), snapshot, row.lead_index)
  if (!made.ok) throw new AppError('template_invalid', { message: made.error })
  await requireAiBudget(writer, workspaceId, now)
  const own = { generation_id: generationId, workspace_id: workspaceId }
  if (!(await beginRewrite(own, now)))
    throw new AppError('conflict', { message: 'This text is already being written.' })
  const result = await writeText(withinAiBudget(writer, workspaceId), made.material, [])
  const tokens =
    'tokens' in result
      ? result.tokens
      : result.outcome === 'written'
        ? result.text.tokens
        : { input: 0, output: 0 }
  await addUse(row.run_id, writer, tokens, result.outcome === 'unknown')
  if (result.outcome !== 'written') {
    await dropRewrite(own)
    throw new AppError('provider_unavailable', { message: result.error })
  }
  const { tokens: used, ...text } = result.text
  const rewritten = {
    ...text,
    lead_snapshot: storableJson(snapshot),
    model: writer.name,
    tokens_in: (row.tokens_in ?? 0) + (used.input ?? 0),
    tokens_out: (row.tokens_out ?? 0) + (used.output ?? 0),
  }
  await rewriteText(own, rewritten, now)
  await recount(row.run_id)
  return getGeneration(workspaceId, generationId)
}

async function addUse(
  runId: string,
  writer: Writer,
  tokens: { input: number | null; output: number | null },
  unknown: boolean,
) {
  const cost = tokenCost(findPrice(writer), tokens)
  await db.personalizationRun.updateMany({
    where: { run_id: runId },
    data: {
      tokens_in: { increment: tokens.input ?? 0 },
      tokens_out: { increment: tokens.output ?? 0 },
      unknown_calls: { increment: unknown ? 1 : 0 },
      ...(cost === null ? {} : { cost: { increment: cost } }),
    },
  })
}
