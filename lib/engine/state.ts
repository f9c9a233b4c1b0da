import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { FunctionConfig } from '#lib/engine/config'

/** Compatible with pino: fields first, then the message. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>

export type Tx = PoolClient

/**
 * State shared by the parts of one running engine. Everything durable is in Postgres, so this process may die
 * at any time.
 */
export type Engine = {
  no: number
  pool: Pool
  log: Log
  serveUrl: string
  signingKey: string | undefined
  retryDelaysMs: readonly number[]
  /** The functions from the last sync. */
  functions: Map<string, FunctionConfig>
  /** Slot holders ("run" or "run/step") that this process is executing. */
  active: Set<string>
  /** Since when the app has been unreachable; determines the retry delay. */
  unreachableSince: number | undefined
  /** True once stop() was called: no new call is started. */
  stopping: boolean
  /** Aborts calls in progress when the grace period of stop() is over. */
  abort: AbortSignal
}

/** Runs `work` in one transaction on its own connection. */
export async function withTx<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    // A connection whose rollback fails is not given back to the pool.
    await tx.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    tx.release(broken)
  }
}

export async function row<T extends QueryResultRow>(
  tx: Pool | Tx,
  text: string,
  values: unknown[] = [],
): Promise<T | undefined> {
  return (await tx.query<T>(text, values)).rows[0]
}

export async function rows<T extends QueryResultRow>(
  tx: Pool | Tx,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await tx.query<T>(text, values)).rows
}

type JobName = 'route' | 'exec' | 'timer' | 'cron' | 'purge'
/** `once`: leave an already queued job with this key as it is, including its time and payload. */
type JobOptions = { runAt?: Date; key?: string; once?: boolean }

/**
 * Notification channel: transactions announce, on commit, in how many milliseconds one of their jobs is due.
 */
export const DUE_CHANNEL = 'engine_due'

/**
 * Adds a job in the caller's transaction, so that a state change and the work that follows commit together.
 */
export async function addJob(
  tx: Pool | Tx,
  name: JobName,
  payload: object,
  { runAt, key, once }: JobOptions = {},
) {
  await tx.query(
    'select graphile_worker.add_job($1, payload := $2::json, run_at := $3, job_key := $4, job_key_mode := $5, max_attempts := 100)',
    [name, JSON.stringify(payload), runAt ?? null, key ?? null, once ? 'unsafe_dedupe' : 'replace'],
  )
  if (runAt) await tellDue(tx, runAt)
}

/** Tells all engines, once this transaction commits, when something is due. */
export async function tellDue(tx: Pool | Tx, at: Date) {
  await tx.query(
    'select pg_notify($1, ceil(extract(epoch from $2::timestamptz - clock_timestamp()) * 1000)::text)',
    [DUE_CHANNEL, at],
  )
}

export async function removeJob(tx: Tx, key: string) {
  await tx.query('select graphile_worker.remove_job($1)', [key])
}

export const timerKey = (runId: string, stepId: string) => `timer:${runId}:${stepId}`
