import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { inTransaction } from '#lib/db/transaction'
import type { Findings, Proposal, Skip } from '#lib/domain/enrichment/proposal'
import type { EnrichmentProvider, LookupAnswer } from '#lib/providers/enrichment/port'
import type { BatchRow } from '#lib/services/enrichment/batch'
import type { Gathered } from '#lib/services/enrichment/pipeline'

type Run = {
  session: { session_id: string; workspace_id: string }
  providers: readonly EnrichmentProvider[]
  /** In whole currency units, as the options state it. */
  max_cost: number
}

/**
 * Asks the providers in order for fields that the row and its own rules leave empty, and stops at the first with a result. Each query is
 * recorded in the ledger with its price before it is made, and none is made twice in a session.
 */
export async function askProviders(
  run: Run,
  rows: readonly BatchRow[],
  own: (row: BatchRow) => Findings,
): Promise<Map<number, Gathered>> {
  const findings = new Map<number, Gathered>()
  for (const row of rows) {
    const filled = new Set([
      ...Object.entries(row.data).flatMap(([field, text]) => (text.trim() ? [field] : [])),
      ...own(row).proposals.map(({ field }) => field),
    ])
    findings.set(row.lead_index, await fall(run, row, filled))
  }
  return findings
}

async function fall(run: Run, row: BatchRow, filled: ReadonlySet<string>): Promise<Gathered> {
  const skips: Skip[] = []
  let has_failed = false
  for (const provider of run.providers) {
    const missing = provider.fields.filter((field) => !filled.has(field))
    if (missing.length === 0) continue
    const known = await lookUp(run, row, provider)
    if (known.kind === 'found') {
      const proposals = Object.entries(known.fields).map(
        ([field, value]): Proposal => ({
          field,
          value,
          rule: `provider_${provider.name}`,
          source: known.source,
          certainty: 'likely',
        }),
      )
      return { proposals, skips: [], has_failed }
    }
    if (known.kind === 'failed') has_failed = true
    for (const field of missing) skips.unshift({ field, reason: REASONS[known.kind] })
  }
  return { proposals: [], skips, has_failed }
}

type Known =
  | { kind: 'found'; fields: Record<string, string>; source: string }
  | { kind: 'nothing' | 'failed' | 'broke_off' | 'over_budget' }

const REASONS = {
  nothing: 'provider_knows_nothing',
  failed: 'provider_failed',
  broke_off: 'look_up_broke_off',
  over_budget: 'budget_spent',
} as const

type Entry = { status: string; fields: Record<string, string>; source: string | null }

/** Asks one provider, unless the session did so before or its budget is spent. */
export async function lookUp(
  run: Pick<Run, 'session' | 'max_cost'>,
  row: BatchRow,
  provider: EnrichmentProvider,
): Promise<Known> {
  const reserved = await reserve(run, row.lead_index, provider)
  if (reserved === 'over_budget') return { kind: 'over_budget' }
  if (reserved !== 'ask') return readEntry(reserved)
  const lead = row.email === null ? row.data : { ...row.data, email: row.email }
  const answer = await provider.lookup(lead)
  await settle(run, row.lead_index, provider, answer)
  if (answer.outcome === 'found') return { kind: 'found', fields: answer.fields, source: answer.source }
  return { kind: answer.outcome }
}

/** An entry that is still `asked` was interrupted with its process: it may have been paid, so it is not asked again. */
function readEntry({ status, fields, source }: Entry): Known {
  if (status === 'found') return { kind: 'found', fields, source: source ?? 'provider' }
  if (status === 'asked') return { kind: 'broke_off' }
  return { kind: status === 'failed' ? 'failed' : 'nothing' }
}

/** Records the query with its maximum price, under the lock of the session that has the budget. */
async function reserve(
  { session, max_cost }: Pick<Run, 'session' | 'max_cost'>,
  leadIndex: number,
  { name, price_micros }: EnrichmentProvider,
): Promise<'ask' | 'over_budget' | Entry> {
  const { session_id, workspace_id } = session
  return inTransaction(pool(), async (client) => {
    const { rows: budget } = await client.query<{ spent: string }>(
      'SELECT cost_micros AS spent FROM dataset_sessions WHERE session_id = $1 FOR UPDATE',
      [session_id],
    )
    const { rows: entries } = await client.query<Entry>(
      'SELECT status, fields, source FROM enrichment_lookups WHERE session_id = $1 AND lead_index = $2 AND provider = $3',
      [session_id, leadIndex, name],
    )
    if (entries[0]) return entries[0]
    if (Number(budget[0]?.spent ?? 0) + price_micros > Math.floor(max_cost * 1_000_000)) return 'over_budget'
    await client.query(
      `INSERT INTO enrichment_lookups (session_id, workspace_id, lead_index, provider, cost_micros) VALUES ($1, $2, $3, $4, $5)`,
      [session_id, workspace_id, leadIndex, name, price_micros],
    )
    await client.query('UPDATE dataset_sessions SET cost_micros = cost_micros + $2 WHERE session_id = $1', [
      session_id,
      price_micros,
    ])
    return 'ask'
  })
}

/** Releases the part of the reserved price that the look-up did not cost. */
async function settle(
  { session }: Pick<Run, 'session'>,
  leadIndex: number,
  provider: EnrichmentProvider,
  answer: LookupAnswer,
) {
  const cost = answer.outcome === 'failed' ? (answer.is_paid ? provider.price_micros : 0) : answer.cost_micros
  await inTransaction(pool(), async (client) => {
    await client.query('UPDATE dataset_sessions SET cost_micros = cost_micros - $2 WHERE session_id = $1', [
      session.session_id,
      provider.price_micros - cost,
    ])
    await client.query(
      `UPDATE enrichment_lookups SET status = $4, cost_micros = $5, fields = $6, source = $7, error = $8
       WHERE session_id = $1 AND lead_index = $2 AND provider = $3`,
      [
        session.session_id,
        leadIndex,
        provider.name,
        answer.outcome,
        cost,
        jsonText(answer.outcome === 'found' ? answer.fields : {}),
        answer.outcome === 'found' ? answer.source : null,
        answer.outcome === 'failed' ? answer.error.slice(0, 1_000) : null,
      ],
    )
  })
}
