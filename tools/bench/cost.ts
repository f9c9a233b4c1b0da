// What sending 1,000 mails costs the worker and the database: CPU, statements, WAL.
import { closeDatabase, db, pool } from '#lib/db/client'
import { report, runWorker, startServer } from './harness.ts'
import { postgresCpu } from './instance/processes.ts'
import { aDataset, aDueCampaign, anOwner, giveSignIns } from './seed.ts'

const MAILBOXES = 5
const TEXT =
  'Hello {{ first_name }},\n\nI read about {{ company }} and wondered who looks after outreach.\n\nAlex'

type Result = { sent: number; ms: number; rss_mb: number; cpu_ms: number }

async function reading() {
  const { rows } = await pool().query<{ wal: string; calls: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS wal,
       (SELECT sum(calls)::text FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND toplevel) AS calls`,
  )
  const size = await pool().query<{ bytes: string }>(
    'SELECT pg_database_size(current_database())::text AS bytes',
  )
  return {
    wal: Number(rows[0]?.wal),
    calls: Number(rows[0]?.calls),
    bytes: Number(size.rows[0]?.bytes),
    cpu_ms: await postgresCpu(),
  }
}

await pool().query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
const sink = await startServer<{ port: number }>('bare/sink.ts')
const owner = await anOwner({ mailboxes: MAILBOXES, port: sink.where.port })
await giveSignIns(owner.workspace_id)

async function measure(what: string, leads: number, worker: () => Promise<Result>, interval: number) {
  const dataset_id = await aDataset(owner.workspace_id, leads)
  const campaign_id = await aDueCampaign(owner, dataset_id, {
    message_template: TEXT,
    min_interval_seconds: interval,
  })
  await pool().query('VACUUM ANALYZE')
  await pool().query('CHECKPOINT')
  const before = await reading()
  const { sent, ms, cpu_ms, rss_mb } = await worker()
  const after = await reading()
  if (sent !== leads) throw new Error(`sent ${sent} of ${leads}`)
  const per = (value: number) => (value / sent) * 1000
  const facts = [
    `${(per(cpu_ms) / 1000).toFixed(2)} s CPU of the worker`,
    `${(per(after.cpu_ms - before.cpu_ms) / 1000).toFixed(2)} s CPU of Postgres`,
    `${per(after.calls - before.calls).toFixed(0)} statements`,
    `${(per(after.wal - before.wal) / 1e6).toFixed(1)} MB WAL`,
    `${(per(after.bytes - before.bytes) / 1e6).toFixed(1)} MB on disk`,
    `${Math.round(sent / (ms / 1000))}/s`,
    `${rss_mb} MB`,
  ]
  report({ what, ours: facts.join(', '), against: '', ratio: '', goal: '', met: null })
  await db.campaign.delete({ where: { campaign_id } })
}

/** Rows in other tables, as any instance has them. */
const BESIDE = 100_000
const paced = 1000
await measure('1,000 mails, all due at once (of 10,000)', 10_000, () => runWorker('workers/dispatch.ts'), 0)
await aDataset(owner.workspace_id, BESIDE)
await measure(
  `1,000 mails, one at a time (a paced campaign), beside lists of ${BESIDE.toLocaleString('en')} rows`,
  paced,
  () => runWorker('workers/cost.ts', { BENCH_PACED: `${paced}` }),
  60,
)
sink.stop()
await closeDatabase()
