import { db, pool } from '#lib/db/client'
import type { GenerationModel } from '#lib/db/generated/models'
import { DbNull } from '#lib/db/json'
import { jsonText } from '#lib/db/json-text'
import { mergeFields } from '#lib/domain/messages/template'
import { cellsAt, isAiStep, madeFrom, sealText } from '#lib/domain/personalize/review'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { recount } from '#lib/services/personalize/counts'
import { formOfRun, lengthObstacle } from '#lib/services/personalize/form'
import { snapshotRow } from '#lib/services/personalize/material'
import { getGeneration, reviewable } from '#lib/services/personalize/rows'
import { getRun } from '#lib/services/personalize/runs'
import { storedClaims, storedLead, storedTemplate } from '#lib/services/personalize/stored'
import { releaseHeldLeads } from '#lib/services/sending/approved-texts'

const BATCH = 500

type Made = Pick<GenerationModel, 'subject' | 'body' | 'claims' | 'lead_snapshot'>

/** The cells that a text of a run was made from. */
function usedKeys(run: { template: unknown }, made: Made): string[] {
  const template = storedTemplate(run)
  const fields = template ? mergeFields(template).map(({ name }) => name) : []
  return madeFrom(made, { claims: storedClaims(made), fields }, storedLead(made))
}

/** One text: compare-and-set on the words themselves, so that an edit meanwhile is never approved unseen. */
export async function approveGeneration(userId: string, generationId: string, now: Date) {
  const { subject, body, claims, status, lead_snapshot, campaign_id, lead_index, run_id, run } =
    await reviewable(userId, generationId)
  if (status !== 'generated' || !body)
    throw new AppError('run_not_reviewable', { message: 'Only a text that was written can be approved.' })
  const obstacle = lengthObstacle(await formOfRun(run), body)
  if (obstacle) throw new AppError('run_not_reviewable', { message: obstacle })
  // Whoever approves it now sees what the row has become since it was written.
  const keys = usedKeys(run, { subject, body, claims, lead_snapshot })
  const current = await db.datasetRow.findFirst({
    where: { dataset_id: run.dataset_id, user_id: userId, lead_index },
  })
  const cells = cellsAt(current ? snapshotRow(current) : storedLead({ lead_snapshot }), keys)
  const { count } = await db.generation.updateMany({
    where: { generation_id: generationId, user_id: userId, status, subject, body },
    data: { approved_at: now, seal: sealText({ subject, body }, cells), approved_cells: cells },
  })
  if (count === 0) throw new AppError('conflict')
  await recount(run_id)
  if (campaign_id) await releaseHeldLeads(campaign_id, now, [lead_index])
  return getGeneration(userId, generationId)
}

export async function rejectGeneration(userId: string, generationId: string) {
  const { run_id, status } = await reviewable(userId, generationId)
  if (status === 'pending' || status === 'failed')
    throw new AppError('run_not_reviewable', { message: 'There is no text to reject.' })
  await db.generation.updateMany({
    where: { generation_id: generationId, user_id: userId },
    data: { status: 'rejected', approved_at: null, seal: null, approved_cells: DbNull },
  })
  await recount(run_id)
  return getGeneration(userId, generationId)
}

/**
 * All texts that are written and not rejected, without flags unless asked; then the run counts as reviewed. What is too
 * long for its action is left in any case.
 */
export async function approveRun(userId: string, runId: string, includeFlagged: boolean, now: Date) {
  const run = await reviewableRun(userId, runId)
  const form = await formOfRun(run)
  for (let after = -1; ; ) {
    const written = await db.generation.findMany({
      where: {
        run_id: runId,
        user_id: userId,
        status: 'generated',
        approved_at: null,
        lead_index: { gt: after },
        ...(includeFlagged ? {} : { flags: { equals: [] } }),
      },
      orderBy: { lead_index: 'asc' },
      take: BATCH,
    })
    const last = written.at(-1)
    if (!last) break
    after = last.lead_index
    // A row that changed since is not looked at here, so its text is sealed with what it was written from.
    const rows = written.flatMap((row) =>
      lengthObstacle(form, row.body) === null
        ? [{ ...row, cells: cellsAt(storedLead(row), usedKeys(run, row)) }]
        : [],
    )
    await pool().query(
      `UPDATE generations g SET approved_at = $2, seal = s.seal, approved_cells = s.cells
       FROM unnest($1::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) s (generation_id, seal, subject, body, cells)
       WHERE g.generation_id = s.generation_id AND g.status = 'generated'
         AND g.subject IS NOT DISTINCT FROM s.subject AND g.body = s.body`,
      [
        rows.map((row) => row.generation_id),
        now,
        rows.map((row) => sealText(row, row.cells)),
        rows.map((row) => row.subject),
        rows.map((row) => row.body),
        rows.map((row) => jsonText(row.cells)),
      ],
    )
  }
  await db.personalizationRun.updateMany({
    where: { run_id: runId, user_id: userId },
    data: { reviewed_at: now },
  })
  await recount(runId)
  if (run.campaign_id) {
    await markReviewed(userId, run.campaign_id, now)
    await releaseHeldLeads(run.campaign_id, now)
  }
  return getRun(userId, runId)
}

export async function rejectRun(userId: string, runId: string) {
  await reviewableRun(userId, runId)
  await db.generation.updateMany({
    where: { run_id: runId, user_id: userId, status: 'generated' },
    data: { status: 'rejected', approved_at: null, seal: null, approved_cells: DbNull },
  })
  await db.personalizationRun.updateMany({
    where: { run_id: runId, user_id: userId },
    data: { reviewed_at: null },
  })
  await recount(runId)
  return getRun(userId, runId)
}

async function reviewableRun(userId: string, runId: string) {
  const run = await getRun(userId, runId)
  if (run.status === 'queued' || run.status === 'running') throw new AppError('run_not_reviewable')
  return run
}

/** A campaign is reviewed once each of its AI steps has a run that was. */
async function markReviewed(userId: string, campaignId: string, now: Date): Promise<void> {
  const campaign = await getCampaign(userId, campaignId)
  const runs = await db.personalizationRun.findMany({
    where: { campaign_id: campaignId, user_id: userId, reviewed_at: { not: null } },
    select: { step: true },
  })
  const done = new Set(runs.map(({ step }) => step))
  if (!campaign.steps_config.filter(isAiStep).every(({ step }) => done.has(step))) return
  await db.campaign.updateMany({
    where: { campaign_id: campaignId, user_id: userId },
    data: { reviewed_at: now },
  })
}
