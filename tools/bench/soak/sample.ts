import type pg from 'pg'
import { quantile } from '../harness.ts'
import { descendants, machineCpu, type Process, sum } from '../instance/processes.ts'
import type { Probed } from './probe.ts'
import type { Counts } from './world.ts'

type Table = { live: number; dead: number; heap: number; indexes: number }

/** The measurements of one interval of the run. */
export type Sample = {
  /** Minutes from the start to the end of the interval. */
  minute: number
  taken: number
  per_second: number
  /** MB and cores by process name, and in total; cores also of everything else on the machine. */
  memory: Record<string, number>
  cores: Record<string, number>
  connections: number
  tables: Record<string, Table>
  wal_mb: number
  database_mb: number
  p50: number
  p99: number
  failed_reads: number
  /** The statement running longest at the end of the interval, if it runs for long. */
  longest: { seconds: number; query: string } | null
}

type Given = {
  client: pg.Client
  supervisor: number
  counts: () => Promise<Counts>
  reads: () => Promise<Probed>
}

/** Returns a function that measures the interval since its previous call. */
export async function sampler({ client, supervisor, counts, reads }: Given) {
  const started = performance.now()
  let before = await snapshot()
  await reads()

  async function snapshot() {
    const { rows } = await client.query<{ connections: string; wal: string; bytes: string }>(
      `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS connections,
         pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal, pg_database_size(current_database()) AS bytes`,
    )
    const [state] = rows
    return {
      at: performance.now(),
      processes: descendants(supervisor),
      machine_s: machineCpu(),
      taken: (await counts()).taken,
      connections: Number(state?.connections),
      wal: Number(state?.wal),
      bytes: Number(state?.bytes),
    }
  }

  return async (): Promise<Sample> => {
    const now = await snapshot()
    const { ms, failed } = await reads()
    const seconds = (now.at - before.at) / 1_000
    const used = new Map(before.processes.map((one) => [one.pid, one.cpu_s]))
    const cores = (one: Process) => Math.max(0, one.cpu_s - (used.get(one.pid) ?? 0)) / seconds
    const ours = byName(now.processes, cores)
    const others = (now.machine_s - before.machine_s) / seconds - (ours.all ?? 0)
    const sample = {
      minute: (now.at - started) / 60_000,
      taken: now.taken,
      per_second: (now.taken - before.taken) / seconds,
      memory: byName(now.processes, (one) => one.memory_mb),
      cores: { ...ours, others },
      connections: now.connections,
      tables: await readTables(client),
      wal_mb: (now.wal - before.wal) / 1e6,
      database_mb: now.bytes / 1e6,
      p50: quantile(ms, 0.5),
      p99: quantile(ms, 0.99),
      failed_reads: failed,
      longest: await readLongest(client),
    }
    before = now
    return sample
  }
}

function byName(list: Process[], pick: (one: Process) => number): Record<string, number> {
  const groups = Object.entries(Object.groupBy(list, ({ name }) => name))
  const each = groups.map(([name, group = []]): [string, number] => [name, sum(group, pick)])
  return Object.fromEntries([...each, ['all', sum(list, pick)]])
}

/** Rows as Postgres estimates them, and sizes in bytes: of the rows with their TOAST, and of the indexes. */
async function readTables(client: pg.Client): Promise<Record<string, Table>> {
  const { rows } = await client.query<{ name: string } & Record<keyof Table, string>>(
    `SELECT CASE schemaname WHEN 'public' THEN relname ELSE schemaname || '.' || relname END AS name, n_live_tup AS live,
       n_dead_tup AS dead, pg_table_size(relid) AS heap, pg_indexes_size(relid) AS indexes FROM pg_stat_user_tables`,
  )
  return Object.fromEntries(
    rows.map(({ name, live, dead, heap, indexes }) => [
      name,
      { live: Number(live), dead: Number(dead), heap: Number(heap), indexes: Number(indexes) },
    ]),
  )
}

const LONG_SECONDS = 3

async function readLongest(client: pg.Client): Promise<Sample['longest']> {
  const { rows } = await client.query<{ seconds: number; query: string }>(
    `SELECT extract(epoch FROM clock_timestamp() - query_start)::float8 AS seconds, left(query, 300) AS query FROM pg_stat_activity
     WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
       AND query_start < clock_timestamp() - make_interval(secs => $1) ORDER BY query_start LIMIT 1`,
    [LONG_SECONDS],
  )
  return rows[0] ?? null
}
