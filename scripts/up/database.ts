import { existsSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startPostgres } from '#lib/db/embedded'
import { Trouble } from '#scripts/up/trouble'

/** The data folder's own Postgres, started on `port`. */
export async function startEmbedded(
  dataFolder: string,
  port: number,
  watch: { signal?: AbortSignal; spawned?: (pid: number) => void } = {},
): Promise<EmbeddedPostgres> {
  const first = !existsSync(path.join(dataFolder, 'postgres.json'))
  // Nothing replicates from it, so the process for that is not started.
  const settings = { max_connections: '200', max_logical_replication_workers: '0' }
  const postgres = await startPostgres({ folder: dataFolder, port, settings, ...watch })
  if (first && postgres.elsewhere) {
    console.log(
      `  Postgres cannot enter ${dataFolder} (it does not run as root): its data is in ${postgres.elsewhere}.`,
    )
  }
  for (const old of postgres.forgotten) {
    console.log(
      `  An earlier database of ${dataFolder} is still in ${old}. It is unused: remove it to free disk space.`,
    )
  }
  return postgres
}

/** Refuses a DATABASE_URL that does not work, with one sentence that gives the reason and never the password. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const where = parseDatabaseUrl(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    )
    if (Number(rows[0]?.version) < 140_000)
      throw new Trouble(`DATABASE_URL: Postgres 14 or newer is needed ${where.at}.`)
  } catch (error) {
    if (error instanceof Trouble) throw error
    throw new Trouble(`DATABASE_URL: ${reason(error, where)}`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Where = { at: string; user: string; database: string }

function parseDatabaseUrl(databaseUrl: string): Where {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Trouble('DATABASE_URL is not an address like postgresql://user:password@host:5432/database.')
  }
  const host = url.searchParams.get('host') ?? (url.hostname || 'localhost')
  return {
    at: `at ${host}:${url.port || 5432}`,
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}

function reason(error: unknown, { at, user, database }: Where): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (['28P01', '28000'].includes(code))
    return `the server ${at} refuses user "${user}": check user and password.`
  if (code === '3D000') return `there is no database "${database}" ${at}: create it first.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `no such host (${at.slice(3)}).`
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH') return `no Postgres answers ${at}.`
  if (code === 'ETIMEDOUT' || /timeout/i.test(message)) return `no Postgres answered ${at} within 10 seconds.`
  return `the server ${at} cannot be used: ${message}`
}
