import type { z } from 'zod'
import type { FinderOptions } from '#lib/contracts/enrichment/email-finder'
import { pool } from '#lib/db/client'
import type { DatasetSessionModel } from '#lib/db/generated/models'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import type { LeadData } from '#lib/domain/enrichment/proposal'
import { findDomain } from '#lib/domain/enrichment/web-domain'
import type { Person } from '#lib/domain/finder/patterns'
import type { EmailStatus } from '#lib/domain/finder/verdict'
import type { BatchRow } from '#lib/services/enrichment/batch'
import type { Gathered, Pipeline } from '#lib/services/enrichment/pipeline'
import { findEmail } from '#lib/services/finder/find'
import type { FinderTools } from '#lib/services/finder/tools'

/** A small number, since each row may wait for a mail server. */
const ROWS = 10

type Result = { email: string | null; confidence: number; status: EmailStatus; reason: string }

/** Fills `email` in the rows of a dataset. Results are stored row by row, so that no server is asked twice for one. */
export function finderPipeline(
  session: DatasetSessionModel,
  options: z.output<typeof FinderOptions>,
  tools: FinderTools,
): Pipeline {
  return {
    batch: ROWS,
    overwrite: options.overwrite,
    async gather(rows) {
      const findings = new Map<number, Gathered>()
      for (const row of rows) findings.set(row.lead_index, await ofRow(session, row, options, tools))
      return findings
    },
    find: async (_, rows, gathered) =>
      new Map(
        rows.map(({ lead_index }) => [lead_index, gathered.get(lead_index) ?? { proposals: [], skips: [] }]),
      ),
    async record(client, outcomes) {
      const filled = outcomes.filter(({ changes }) => changes.length > 0).map(({ lead_index }) => lead_index)
      await client.query(
        'UPDATE email_finder_results SET filled = true WHERE session_id = $1 AND lead_index = ANY ($2)',
        [session.session_id, filled],
      )
    },
  }
}

async function ofRow(
  session: DatasetSessionModel,
  { lead_index, email, data }: BatchRow,
  options: z.output<typeof FinderOptions>,
  tools: FinderTools,
): Promise<Gathered> {
  const skip = (reason: string): Gathered => ({
    proposals: [],
    skips: [{ field: 'email', reason }],
    has_failed: false,
  })
  if (email !== null && !options.overwrite) return skip('already_filled')
  const person = toPerson(data)
  if (!person) return skip('no_name')
  const domain =
    (data.domain && checkedDomain(data.domain)) ||
    findDomain(email === null ? data : { ...data, email })?.domain
  if (!domain) return skip('no_domain')
  const result = await kept(session, lead_index, () =>
    findAddress(session.workspace_id, { ...person, domain }, tools),
  )
  if (!result.email) return skip(result.status === 'invalid' ? 'domain_takes_no_mail' : 'nothing_found')
  if (result.confidence < options.min_confidence) return skip('not_sure_enough')
  const certainty = result.status === 'valid' ? 'certain' : 'likely'
  const rule = `email_finder_${result.status}`
  return {
    proposals: [{ field: 'email', value: result.email, rule, source: `name and ${domain}`, certainty }],
    skips: [],
    has_failed: false,
  }
}

function toPerson({ first_name, last_name, full_name }: LeadData): Person | null {
  if (first_name?.trim() && last_name?.trim()) return { first_name, last_name }
  const split = splitFullName(full_name ?? '')
  return split.kind === 'split' ? { first_name: split.first_name, last_name: split.last_name } : null
}

async function findAddress(
  workspaceId: string,
  wanted: Person & { domain: string },
  tools: FinderTools,
): Promise<Result> {
  const { email, confidence, status, reason } = await findEmail(workspaceId, wanted, new Date(), tools)
  return { email, confidence, status, reason }
}

/** The result of an earlier try of this session for the row; otherwise calls `find` and stores its result at once. */
async function kept(
  session: DatasetSessionModel,
  leadIndex: number,
  find: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await pool().query<Result>(
    'SELECT email, confidence, status, reason FROM email_finder_results WHERE session_id = $1 AND lead_index = $2',
    [session.session_id, leadIndex],
  )
  if (rows[0]) return rows[0]
  const result = await find()
  await pool().query(
    `INSERT INTO email_finder_results (session_id, workspace_id, lead_index, email, confidence, status, reason, filled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, false) ON CONFLICT DO NOTHING`,
    [
      session.session_id,
      session.workspace_id,
      leadIndex,
      result.email,
      result.confidence,
      result.status,
      result.reason,
    ],
  )
  return result
}
