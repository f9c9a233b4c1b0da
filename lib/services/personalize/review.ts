import { db, pool } from '#lib/db/client'
import type { GenerationModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { mergeFields } from '#lib/domain/messages/template'
import { cellsAt, isAiStep, madeFrom, sealText } from '#lib/domain/personalize/review'
import { isRunUnderWay } from '#lib/domain/personalize/run-moves'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { recount } from '#lib/services/personalize/counts'
import { formOfRun, lengthObstacle } from '#lib/services/personalize/form'
import { snapshotRow } from '#lib/services/personalize/material'
import { getGeneration, reviewable } from '#lib/services/personalize/rows'
import { getRun } from '#lib/services/personalize/runs'
import { approveText, approveTexts, rejectTexts } from '#lib/services/personalize/state/review'
import { markRunReviewed } from '#lib/services/personalize/state/runs'
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

/** Approves one text, in the version that the person read. */
export async function approveGeneration(workspaceId: string, generationId: string, now: Date) {
  const { subject, body, claims, status, lead_snapshot, campaign_id, lead_index, run_id, run } =
    await reviewable(workspaceId, generationId)
  if (status !== 'generated' || !body)
    throw new AppError('run_not_reviewable', { message: 'Only a generated text can be approved.' })
  const obstacle = lengthObstacle(await formOfRun(run), body)
  if (obstacle) throw new AppError('run_not_reviewable', { message: obstacle })
  // The person sees the row's current cells, so the text is sealed with those.
  const keys = usedKeys(run, { subject, body, claims, lead_snapshot })
  const current = await db.datasetRow.findFirst({
    where: { dataset_id: run.dataset_id, workspace_id: workspaceId, lead_index },
  })
  const cells = cellsAt(current ? snapshotRow(current) : storedLead({ lead_snapshot }), keys)
  const sealed = { seal: sealText({ subject, body }, cells), approved_cells: cells }
  const own = { generation_id: generationId, workspace_id: workspaceId }
  await db.$transaction(async (tx) => {
    // Campaign before text, in the order in which deleting a campaign locks them.
    if (campaign_id) await lockCampaigns(toStatements(tx), [campaign_id])
    if (!(await approveText(tx, own, { subject, body }, sealed, now))) throw new AppError('conflict')
    if (campaign_id) await releaseHeldLeads(toStatements(tx), campaign_id, now, [lead_index])
  })
  await recount(run_id)
  return getGeneration(workspaceId, generationId)
}

export async function rejectGeneration(workspaceId: string, generationId: string) {
  const { run_id, status } = await reviewable(workspaceId, generationId)
  if (status === 'pending' || status === 'failed')
    throw new AppError('run_not_reviewable', { message: 'There is no text to reject.' })
  if ((await rejectTexts({ generation_id: generationId, workspace_id: workspaceId })) === 0)
    throw new AppError('conflict')
  await recount(run_id)
  return getGeneration(workspaceId, generationId)
}

/**
 * Approves all written texts that are not rejected, flagged ones only if requested; then the run counts as reviewed. Texts too long for
 * their action are always left out.
 */
export async function approveRun(workspaceId: string, runId: string, includeFlagged: boolean, now: Date) {
  const run = await reviewableRun(workspaceId, runId)
  const form = await formOfRun(run)
  for (let after = -1; ; ) {
    const written = await db.generation.findMany({
      where: {
        run_id: runId,
        workspace_id: workspaceId,
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
    // The person does not see changed rows here, so each text is sealed with the cells it was written from.
    const rows = written.flatMap((row) =>
      lengthObstacle(form, row.body) === null
        ? [{ ...row, cells: cellsAt(storedLead(row), usedKeys(run, row)) }]
        : [],
    )
    const sealed = rows.map((row) => ({ ...row, seal: sealText(row, row.cells) }))
    const places = rows.map(({ lead_index }) => lead_index)
    const { campaign_id } = run
    await inTransaction(pool(), async (client) => {
      if (campaign_id) await lockCampaigns(client, [campaign_id])
      await approveTexts(client, sealed, now)
      if (campaign_id) await releaseHeldLeads(client, campaign_id, now, places)
    })
  }
  await markRunReviewed(workspaceId, runId, now)
  await recount(runId)
  if (run.campaign_id) await markReviewed(workspaceId, run.campaign_id, now)
  return getRun(workspaceId, runId)
}

export async function rejectRun(workspaceId: string, runId: string) {
  await reviewableRun(workspaceId, runId)
  await rejectTexts({ run_id: runId, workspace_id: workspaceId })
  await markRunReviewed(workspaceId, runId, null)
  await recount(runId)
  return getRun(workspaceId, runId)
}

async function reviewableRun(workspaceId: string, runId: string) {
  const run = await getRun(workspaceId, runId)
  if (isRunUnderWay(run.status)) throw new AppError('run_not_reviewable')
  return run
}

/** Marks a campaign as reviewed once each of its AI steps has a reviewed run. */
async function markReviewed(workspaceId: string, campaignId: string, now: Date): Promise<void> {
  const campaign = await getCampaign(workspaceId, campaignId)
  const runs = await db.personalizationRun.findMany({
    where: { campaign_id: campaignId, workspace_id: workspaceId, reviewed_at: { not: null } },
    select: { step: true },
  })
  const done = new Set(runs.map(({ step }) => step))
  if (!campaign.steps_config.filter(isAiStep).every(({ step }) => done.has(step))) return
  await db.campaign.updateMany({
    where: { campaign_id: campaignId, workspace_id: workspaceId },
    data: { reviewed_at: now },
  })
}
