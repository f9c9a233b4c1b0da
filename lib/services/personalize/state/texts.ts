import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { type Statements, sqlList } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { RUN_MOVES } from '#lib/domain/personalize/run-moves'
import {
  type GenerationStatus,
  MOST_CALLS,
  TEXT_MOVES,
  type TextVerb,
  textAfter,
} from '#lib/domain/personalize/text-moves'
import type { Price } from '#lib/providers/ai/port'
import { snapshotRow } from '#lib/services/personalize/material'
import type { TextOutcome } from '#lib/services/personalize/write-text'
import { tokenCost } from '#lib/services/personalize/writer'

/*
 * The only writer of the status of texts while their run is under way; review.ts covers what people do afterwards. Guards and targets come
 * from the domain's table of moves.
 */

/** The worker of a run, and how long its claim lasts. */
export type Worker = { run_id: string; worker: string; lease_ms: number }

export type Claimed = {
  generation_id: string
  lead_index: number
  lead_snapshot: Record<string, unknown>
  calls: number
}

const LOST = 'The model was called twice and did not answer. Both calls count as paid.'

const to = (status: GenerationStatus) => `'${status}'::"GenerationStatus"`
const may = (verb: TextVerb) => `status IN (${sqlList(TEXT_MOVES[verb].from)})`

/** Calls without a known outcome count as paid. Each is repeated once, unless it was the repetition. */
export async function loseCalls(client: Statements, runId: string): Promise<void> {
  const [again, failed] = TEXT_MOVES.lose.to
  const { rows } = await client.query<{ status: GenerationStatus }>(
    `UPDATE generations SET called_at = NULL,
       status = CASE WHEN calls >= $2 THEN ${to(failed)} ELSE ${to(again)} END,
       error = CASE WHEN calls >= $2 THEN $3 END
     WHERE run_id = $1 AND ${may('lose')} AND called_at IS NOT NULL RETURNING status`,
    [runId, MOST_CALLS, LOST],
  )
  if (rows.length === 0) return
  await client.query(
    `UPDATE personalization_runs SET unknown_calls = unknown_calls + $2, failed_count = failed_count + $3
     WHERE run_id = $1`,
    [runId, rows.length, rows.filter(({ status }) => status === failed).length],
  )
}

/**
 * Claims the next leads; each gets its row in the ledger before the model is asked: first those that wait for another try, then new ones in
 * the order of the dataset. Null if the run was cancelled or another worker took it over.
 */
export async function claimLeads(
  { run_id, worker, lease_ms }: Worker,
  size: number,
  now: Date,
): Promise<Claimed[] | null> {
  return inTransaction(pool(), async (client) => {
    const { rows: runs } = await client.query<Run>(
      `UPDATE personalization_runs SET lease_until = $3, updated_at = $4
       WHERE run_id = $1 AND worker = $2 AND status = '${RUN_MOVES.take.to}'
       RETURNING run_id, workspace_id, dataset_id, campaign_id, step, lead_indexes, next_index`,
      [run_id, worker, new Date(now.getTime() + lease_ms), now],
    )
    const [run] = runs
    if (!run) return null
    const { rows: again } = await client.query<Claimed>(
      `UPDATE generations g SET called_at = $3, calls = calls + 1 FROM (
         SELECT generation_id FROM generations
         WHERE run_id = $1 AND ${may('ask')} AND called_at IS NULL ORDER BY lead_index LIMIT $2) w
       WHERE g.generation_id = w.generation_id
       RETURNING g.generation_id, g.lead_index, g.lead_snapshot, g.calls`,
      [run_id, size, now],
    )
    return [...again, ...(again.length < size ? await claimNew(client, run, size - again.length, now) : [])]
  })
}

type Run = {
  run_id: string
  workspace_id: string
  dataset_id: string
  campaign_id: string | null
  step: number | null
  lead_indexes: number[] | null
  next_index: number
}

async function claimNew(client: PoolClient, run: Run, size: number, now: Date): Promise<Claimed[]> {
  const { rows } = await client.query<{ lead_index: number; email: string | null; data: unknown }>(
    `SELECT lead_index, email, data FROM dataset_rows
     WHERE dataset_id = $1 AND lead_index >= $2 AND ($3::int[] IS NULL OR lead_index = ANY ($3))
     ORDER BY lead_index LIMIT $4`,
    [run.dataset_id, run.next_index, run.lead_indexes, size],
  )
  const last = rows.at(-1)
  if (!last) return []
  const { rows: claimed } = await client.query<Claimed>(
    `INSERT INTO generations (run_id, workspace_id, campaign_id, step, lead_index, lead_snapshot, called_at, calls)
     SELECT $1, $2, $3, $4, l.lead_index, l.lead_snapshot, $7, 1
     FROM unnest($5::int[], $6::jsonb[]) l (lead_index, lead_snapshot)
     ON CONFLICT (run_id, lead_index) DO NOTHING
     RETURNING generation_id, lead_index, lead_snapshot, calls`,
    [
      run.run_id,
      run.workspace_id,
      run.campaign_id,
      run.step,
      rows.map((row) => row.lead_index),
      rows.map((row) => jsonText(snapshotRow(row))),
      now,
    ],
  )
  await client.query('UPDATE personalization_runs SET next_index = $2 WHERE run_id = $1', [
    run.run_id,
    last.lead_index + 1,
  ])
  return claimed
}

/** The outcome for one lead; a lead that cannot be asked about has an error and no call. */
export type LeadOutcome = TextOutcome | { outcome: 'impossible'; error: string }

export type Outcome = { lead: Claimed; result: LeadOutcome; at: Date }

/**
 * Writes the outcomes of some leads and adds them to the run's counts, in one commit. A row is written only while it waits for this call,
 * so a late outcome changes nothing.
 */
export async function recordLeads(
  { run_id, worker, lease_ms }: Worker,
  outcomes: readonly Outcome[],
  { model, price }: { model: string; price: Price | null },
): Promise<void> {
  const now = new Date(Math.max(...outcomes.map(({ at }) => at.getTime())))
  await pool().query(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (generation_id uuid, called int, calls int, status text, subject text,
         body text, claims jsonb, flags jsonb, error text, model text, tokens_in int, tokens_out int, generated_at timestamptz,
         cost float8, is_unknown boolean, is_taken boolean)),
     done AS (
       UPDATE generations g SET status = n.status::"GenerationStatus", called_at = NULL, calls = n.calls,
         subject = n.subject, body = n.body, claims = n.claims, flags = n.flags, error = n.error, model = n.model,
         tokens_in = n.tokens_in, tokens_out = n.tokens_out, generated_at = n.generated_at
       FROM given n
       WHERE g.generation_id = n.generation_id AND g.${may('answer')} AND g.called_at IS NOT NULL AND g.calls = n.called
       RETURNING n.*),
     sums AS (
       SELECT count(*) FILTER (WHERE status = 'generated') AS generated, count(*) FILTER (WHERE status = 'failed') AS failed,
         count(*) FILTER (WHERE flags <> '[]'::jsonb) AS flagged, count(*) FILTER (WHERE is_unknown) AS unknown,
         coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out, sum(cost) AS cost,
         coalesce(bool_or(is_taken), false) AS is_taken
       FROM done HAVING count(*) > 0)
     UPDATE personalization_runs r SET
       generated_count = generated_count + s.generated, failed_count = failed_count + s.failed,
       flagged_count = flagged_count + s.flagged, unknown_calls = unknown_calls + s.unknown,
       tokens_in = r.tokens_in + s.tokens_in, tokens_out = r.tokens_out + s.tokens_out,
       cost = CASE WHEN s.cost IS NULL THEN r.cost ELSE coalesce(r.cost, 0) + s.cost END,
       idle_rounds = CASE WHEN s.is_taken THEN 0 ELSE idle_rounds END, updated_at = $3,
       lease_until = CASE WHEN worker = $4 THEN $5 ELSE lease_until END
     FROM sums s WHERE r.run_id = $1`,
    [
      run_id,
      jsonText(outcomes.map((outcome) => toEntry(outcome, model, price))),
      now,
      worker,
      new Date(now.getTime() + lease_ms),
    ],
  )
}

const NO_TOKENS = { input: null, output: null }

function toEntry({ lead, result, at }: Outcome, model: string, price: Price | null) {
  const { generation_id, calls } = lead
  const text = result.outcome === 'written' ? result.text : null
  const status = textAfter(result.outcome, calls)
  const tokens = text?.tokens ?? (result.outcome === 'unusable' ? result.tokens : NO_TOKENS)
  const why = result.outcome === 'unknown' ? LOST : 'error' in result ? result.error : null
  return {
    generation_id,
    called: calls,
    calls: result.outcome === 'later' || result.outcome === 'rejected' ? calls - 1 : calls,
    status,
    subject: text?.subject ?? null,
    body: text?.body ?? null,
    claims: text?.claims ?? [],
    flags: text?.flags ?? [],
    error: status === 'failed' ? why : null,
    model: text ? model : null,
    tokens_in: tokens.input,
    tokens_out: tokens.output,
    generated_at: status === 'generated' ? at : null,
    cost: tokenCost(price, tokens),
    is_unknown: result.outcome === 'unknown',
    is_taken: result.outcome === 'written' || result.outcome === 'unusable',
  }
}

/** Ends texts of leads that the model will not be asked about any more. */
export async function abandonTexts(runId: string, error: string): Promise<void> {
  await pool().query(
    `WITH ended AS (UPDATE generations SET status = ${to(TEXT_MOVES.abandon.to[0])}, error = $2
       WHERE run_id = $1 AND ${may('abandon')} AND called_at IS NULL RETURNING 1)
     UPDATE personalization_runs SET failed_count = failed_count + (SELECT count(*) FROM ended) WHERE run_id = $1`,
    [runId, error],
  )
}
