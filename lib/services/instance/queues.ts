import { pool } from '#lib/db/client'

/** How much work waits, and since when: instants are those of the oldest entry, null if there is none. */
export type Queues = {
  campaigns_due: number
  oldest_slot_at: Date | null
  leads_due: number
  actions_sending: number
  actions_unheard: number
  actions_uncertain: number
  deliveries_pending: number
  oldest_delivery_at: Date | null
  notifications_queued: number
  backfills_open: number
  /** Null if no embedded engine ever ran on this database. */
  engine_jobs: number | null
  engine_runs: number | null
  swept_at: Date | null
}

/** Cap for counting one campaign's leads, so that a queue of a million does not slow down the metrics. */
const MOST_LEADS = 10_000

/**
 * Reads all queues from the database, so the result is the same in every process. Each part reads an index of open work only.
 */
export async function readQueues(now: Date): Promise<Queues> {
  const [{ rows }, engine] = await Promise.all([pool().query<Omit<Queues, Engine>>(QUEUES, [now]), jobs()])
  const [row] = rows
  if (!row) throw new Error('The query of the queues answers one row.')
  return { ...row, ...engine }
}

type Engine = 'engine_jobs' | 'engine_runs'

const QUEUES = `
  WITH due AS (
    SELECT campaign_id, next_slot_at FROM campaigns
    WHERE status IN ('active', 'draining') AND next_slot_at <= $1
  ), pending AS (
    -- What waits for a webhook that is switched off waits for its owner.
    SELECT next_attempt_at FROM webhook_deliveries d JOIN webhooks w USING (webhook_id)
    WHERE d.status = 'pending' AND w.enabled
  )
  SELECT (SELECT count(*)::int FROM due) AS campaigns_due,
    (SELECT min(next_slot_at) FROM due) AS oldest_slot_at,
    (SELECT coalesce(sum(n), 0)::int FROM due, LATERAL (SELECT count(*) AS n FROM (
       SELECT 1 FROM campaign_leads l
       WHERE l.campaign_id = due.campaign_id AND l.status = 'active' AND l.next_action_at <= $1
       LIMIT ${MOST_LEADS}) few) counted) AS leads_due,
    (SELECT count(*)::int FROM actions WHERE status = 'sending') AS actions_sending,
    (SELECT count(*)::int FROM actions WHERE status = 'sending' AND lease_until < $1) AS actions_unheard,
    (SELECT count(*)::int FROM actions WHERE status = 'uncertain') AS actions_uncertain,
    (SELECT count(*)::int FROM pending) AS deliveries_pending,
    (SELECT min(next_attempt_at) FROM pending WHERE next_attempt_at <= $1) AS oldest_delivery_at,
    (SELECT count(*)::int FROM notification_messages WHERE status IN ('queued', 'sending')) AS notifications_queued,
    (SELECT count(*)::int FROM backfills WHERE finished_at IS NULL) AS backfills_open,
    (SELECT max(at) FROM sweeps WHERE name = 'dispatch') AS swept_at`

/** The embedded engine creates its own tables; with another engine they do not exist. */
async function jobs(): Promise<Pick<Queues, Engine>> {
  const { rows: tables } = await pool().query<{ is_there: boolean }>(
    `SELECT to_regclass('engine.runs') IS NOT NULL AND to_regclass('graphile_worker._private_jobs') IS NOT NULL
       AS is_there`,
  )
  if (!tables[0]?.is_there) return { engine_jobs: null, engine_runs: null }
  const { rows } = await pool().query<{ engine_jobs: number; engine_runs: number }>(
    `SELECT (SELECT count(*)::int FROM graphile_worker._private_jobs WHERE run_at <= now()) AS engine_jobs,
       (SELECT count(*)::int FROM engine.runs WHERE ended_at IS NULL) AS engine_runs`,
  )
  return rows[0] ?? { engine_jobs: null, engine_runs: null }
}
