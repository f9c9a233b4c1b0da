import { setImmediate as breath } from 'node:timers/promises'
import type { z } from 'zod'
import type { AddSuppressions, ImportSuppressions } from '#lib/contracts/leads/suppressions'
import { db, pool } from '#lib/db/client'
import { readSuppression } from '#lib/domain/leads/suppression-value'
import { AppError, type FieldProblem, ValidationError } from '#lib/errors'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { incomingFile, withCopy } from '#lib/services/files/working-copy'
import { suppress } from '#lib/services/leads/endings'
import { namesOfLeads } from '#lib/services/leads/on-list'
import { findParent } from '#lib/services/leads/suppressions/list'
import { readSuppressions } from '#lib/services/reading/files'

/** Values processed at a time; other requests run between slices. */
const SLICE = 500
/** Most entries listed in an answer. */
const LISTED = 100
/** Characters of an invalid entry shown in its error. */
const SHOWN = 60

async function add(workspaceId: string, values: string[], reason: string, now: Date) {
  const entry = { workspace_id: workspaceId, values, reason, status: 'unsubscribed' as const }
  const { added, ended } = await suppress(pool(), entry, now)
  return { added, already_listed: values.length - added, leads_ended: ended }
}

/** All or nothing: one invalid value refuses the whole request and is named in the error. */
export async function addSuppressions(
  workspaceId: string,
  { value, values = [], reason }: z.output<typeof AddSuppressions.body>,
  now: Date,
) {
  const problems: FieldProblem[] = []
  const all: string[] = []
  const given = [
    ...(value === undefined ? [] : [{ text: value, loc: ['body', 'value'] }]),
    ...values.map((text, index) => ({ text, loc: ['body', 'values', `${index}`] })),
  ]
  for (const [index, { text, loc }] of given.entries()) {
    if (index % SLICE === 0) await breath()
    const reading = readSuppression(text)
    if ('values' in reading) all.push(...reading.values)
    // Tells which of many values it is, for readers who do not see the path.
    else
      problems.push({
        loc,
        msg: `“${[...text].slice(0, SHOWN).join('')}”: ${reading.reason}`,
        type: 'value_error',
      })
  }
  if (problems.length > 0) throw new ValidationError(problems.slice(0, LISTED))
  const unique = [...new Set(all)]
  const counts = await add(workspaceId, unique, reason, now)
  const items = await db.suppression.findMany({
    where: { workspace_id: workspaceId, value: { in: unique.slice(0, LISTED) } },
    orderBy: { value: 'asc' },
  })
  return { ...counts, items: items.map((item) => ({ ...item, inherited_from: null })) }
}

/** Each row of the file is either accepted or refused. */
export async function importSuppressions(
  workspaceId: string,
  { file, reason }: z.output<typeof ImportSuppressions.body>,
  now: Date,
) {
  const { values, refused_count, refused } = await withCopy(incomingFile(file), ({ path }) =>
    readSuppressions(workspaceId, path),
  ).catch((error: unknown) => {
    if (!(error instanceof SpreadsheetError)) throw error
    const code = error.code === 'too_large' ? 'body_too_large' : 'bad_request'
    throw new AppError(code, { message: error.message, cause: error })
  })
  const counts = await add(workspaceId, values, reason, now)
  return { ...counts, refused_count, refused }
}

/** Leads ended by the entry stay ended. */
export async function deleteSuppression(workspaceId: string, suppressionId: string): Promise<void> {
  const { count } = await db.suppression.deleteMany({
    where: { suppression_id: suppressionId, workspace_id: workspaceId },
  })
  if (count > 0) return
  const parent = await findParent(workspaceId)
  const key = { suppression_id: suppressionId, workspace_id: parent?.workspace_id ?? workspaceId }
  const isInherited = parent !== null && (await db.suppression.count({ where: key })) > 0
  throw new AppError(isInherited ? 'suppression_inherited' : 'suppression_not_found')
}

/**
 * Deletes several entries and returns them, so that they can be restored. Unknown ids and ids of other
 * workspaces are ignored.
 */
export async function deleteSuppressions(workspaceId: string, suppressionIds: string[]) {
  return db.$transaction(async (tx) => {
    const where = { workspace_id: workspaceId, suppression_id: { in: suppressionIds } }
    const rows = await tx.suppression.findMany({
      where,
      select: { suppression_id: true, value: true, reason: true },
    })
    await tx.suppression.deleteMany({ where })
    return rows
  })
}

/**
 * Suppresses these leads by address, or else by profile and telephone number, which ends them in every
 * campaign.
 */
export async function suppressLeads(workspaceId: string, campaignId: string, leadIds: string[], now: Date) {
  const campaign = { campaign_id: campaignId, workspace_id: workspaceId }
  if ((await db.campaign.count({ where: campaign })) === 0) throw new AppError('campaign_not_found')
  const { rows } = await pool().query<{ campaign_lead_id: string; email: string | null }>(
    `SELECT campaign_lead_id, email FROM campaign_leads
     WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2 AND workspace_id = $3 ORDER BY email`,
    [leadIds, campaignId, workspaceId],
  )
  const without = rows.filter(({ email }) => email === null).map((row) => row.campaign_lead_id)
  const names = await namesOfLeads(pool(), workspaceId, without)
  const values = [...new Set([...rows.flatMap(({ email }) => email ?? []), ...[...names.values()].flat()])]
  const none = { added: 0, already_listed: 0, leads_ended: 0 }
  return values.length > 0 ? addSuppressions(workspaceId, { values, reason: 'manual' }, now) : none
}
