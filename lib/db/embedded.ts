import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type ClusterHome, openHome } from '#lib/db/embedded-home'
import { inspectProcess, waitForExit } from '#lib/db/processes'

export type EmbeddedPostgres = {
  /** Connection string of `database`, which is created if missing. */
  url: string
  pid: number
  /** Set if the cluster could not be placed in the data folder (root, closed home); to be reported once. */
  elsewhere: string | null
  /** Homes that the folder used before it was removed; nothing uses them. To be reported once. */
  forgotten: string[]
  /** Resolves when the server has exited, for whatever reason. */
  exited: Promise<void>
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>
}

type Options = {
  /** Data folder; everything the cluster needs is in it, or recorded in it. */
  folder: string
  port: number
  database?: string
  /** postgresql.conf settings, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Aborts the start and leaves nothing running. */
  signal?: AbortSignal
  /** Called with the pid of each process, before it is ready. */
  spawned?: (pid: number) => void
}

/**
 * Starts the Postgres that belongs to a data folder, creating its cluster the first time. A server left by a killed run is shut down first,
 * and a stale postmaster.pid is handled. Rejects with one sentence that a user can act on: port taken, disk full, and the like.
 */
export async function startPostgres(options: Options): Promise<EmbeddedPostgres> {
  const home = openHome(options.folder)
  const log = path.join(home.home, 'postgres.log')
  // Servers that were left running when the folder was removed.
  for (const forgotten of home.forgotten) await stopCluster(path.join(forgotten, 'cluster'))
  if (!fs.existsSync(home.cluster)) await initialise(home, options)
  await stopCluster(home.cluster)

  const { pid, exited } = await launch(home, options, log)
  const stop = () => stopServer(pid)
  const base = `postgresql://opener:${home.password}@127.0.0.1:${options.port}`
  const database = options.database ?? 'opener'
  try {
    await createDatabase(`${base}/postgres`, database)
  } catch (error) {
    await stop()
    throw error
  }
  const { elsewhere, forgotten } = home
  return { url: `${base}/${database}`, pid, elsewhere: elsewhere ? home.home : null, forgotten, exited, stop }
}

async function launch(home: ClusterHome, options: Options, log: string) {
  // TCP on loopback only, because sockets in /tmp would be shared between instances.
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', home.cluster, '-p', `${options.port}`, ...flags]
  for (const deadline = performance.now() + 30_000; ; ) {
    const { child, exited } = run(home, 'postgres', args, log, options)
    const pid = child.pid ?? 0
    try {
      await ready(home, exited, () => readLog(log), options)
      return { pid, exited: exited.then(() => undefined) }
    } catch (error) {
      await stopServer(pid)
      // The child processes of a killed server outlive it for a moment and keep its shared memory until they notice.
      const isEnding = /shared memory block \(key \d+, ID \d+\) is still in use/.test(readLog(log))
      if (!isEnding || options.signal?.aborted || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** initdb writes under a temporary name, so that a killed one leaves nothing that looks like a cluster. */
async function initialise(home: ClusterHome, options: Options) {
  const draft = `${home.cluster}.new`
  fs.rmSync(draft, { recursive: true, force: true })
  const password = path.join(home.home, 'password')
  fs.writeFileSync(password, home.password, { mode: 0o600 })
  if (home.account) fs.chownSync(password, home.account.uid, home.account.gid)
  const log = path.join(home.home, 'initdb.log')
  // The built-in provider sorts and folds case the same on every machine, whatever locales are installed.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=opener', `--pwfile=${password}`, '--auth=scram-sha-256']
  const code = await run(home, 'initdb', ['-D', draft, ...access, ...locale], log, options).exited
  fs.rmSync(password)
  options.signal?.throwIfAborted()
  if (code !== 0)
    throw new Error(
      whyNotStarted(readLog(log), 'could not make its cluster', { free_bytes: roomIn(home.home) }),
    )
  fs.renameSync(draft, home.cluster)
}

/**
 * Runs one of the binaries in a session of its own, so that Ctrl-C in the terminal reaches only the supervisor, and logs to a file, so that
 * it outlives its parent without blocking.
 */
function run(
  home: ClusterHome,
  name: 'initdb' | 'postgres',
  args: string[],
  log: string,
  { spawned }: Options,
) {
  const out = fs.openSync(log, 'w', 0o600)
  const env = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const stdio: ['ignore', number, number] = ['ignore', out, out]
  const child = spawn(path.join(home.bin, name), args, {
    ...home.account,
    cwd: home.home,
    detached: true,
    env,
    stdio,
  })
  fs.closeSync(out)
  if (child.pid) spawned?.(child.pid)
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', (error) => {
      fs.appendFileSync(log, `${error.message}\n`)
      resolve(null)
    })
  })
  return { child, exited }
}

async function ready(home: ClusterHome, exited: Promise<unknown>, log: () => string, options: Options) {
  const { port, signal } = options
  const url = `postgresql://opener:${home.password}@127.0.0.1:${port}/postgres`
  let running = true
  exited.then(() => {
    running = false
  })
  // Replaying the log of a killed server may take a while; the server is alive meanwhile.
  for (const deadline = performance.now() + 120_000; running && performance.now() < deadline; ) {
    signal?.throwIfAborted()
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    try {
      await client.connect()
      // Another server may hold the port while ours is still failing to start; only ours counts.
      if (running) return
    } catch (error) {
      // Likewise, the server that refuses our password may be another one.
      if (isWrongPassword(error) && isOurs(home, port)) throw new Error(wrongPassword(home))
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw new Error(
    whyNotStarted(log(), `did not start on port ${port}`, { port, free_bytes: roomIn(home.home) }),
  )
}

const isWrongPassword = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '28P01'

/** Our server writes this file once it holds its port: the port is in the fourth line, its state in the last. */
function isOurs(home: ClusterHome, port: number): boolean {
  const file = path.join(home.cluster, 'postmaster.pid')
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines[3] === `${port}` && lines.some((line) => line.trim() === 'ready')
}

const wrongPassword = (home: ClusterHome) =>
  `The embedded Postgres in ${home.home} does not know its password: put the postgres.json back that belongs to it, or remove both to start with an empty database.`

/** The size of a WAL segment, which Postgres allocates as a whole. */
const LEAST_BYTES = 16 * 1024 ** 2

/**
 * One sentence on why the embedded Postgres did not start, from its log. On a full disk the log may end before it says so, so free
 * space is checked too.
 */
export function whyNotStarted(
  log: string,
  what: string,
  { port, free_bytes }: { port?: number; free_bytes: number },
): string {
  if (/Address already in use/.test(log)) return `Port ${port} is already in use (wanted by the database).`
  if (/No space left on device|Check free disk space|wrote only \d+ of/.test(log) || free_bytes < LEAST_BYTES)
    return `The disk is full (${Math.floor(free_bytes / 1024 ** 2)} MiB left): the database has no room.`
  const said = log.split('\n').filter((line) => /FATAL|ERROR|error:|EACCES|ENOENT/.test(line))
  return `The embedded Postgres ${what}: ${said.at(-1) ?? (log.trim().split('\n').at(-1) || 'it said nothing')}`
}

function roomIn(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize
}

function readLog(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').slice(-20_000) : ''
}

/** Shuts down a server that a killed run left on this data folder; does nothing if there is none. */
export async function stopLeftOver(folder: string): Promise<void> {
  if (fs.existsSync(path.join(folder, 'postgres.json'))) await stopCluster(openHome(folder).cluster)
}

/**
 * After a `kill -9` two things may remain: a server without its supervisor, or a postmaster.pid whose pid now belongs to another process
 * (Postgres itself would then refuse to start).
 */
async function stopCluster(cluster: string) {
  const file = path.join(cluster, 'postmaster.pid')
  if (!fs.existsSync(file)) return
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  // Compared as a whole argument: /data/postgres/cluster is also the end of /srv/data/postgres/cluster.
  if (inspectProcess(pid)?.command.includes(` ${cluster} `)) await stopServer(pid)
  else fs.rmSync(file, { force: true })
}

async function stopServer(pid: number) {
  if (!inspectProcess(pid)) return
  process.kill(pid, 'SIGINT')
  if (await waitForExit(pid, 20_000)) return
  // Immediate shutdown: nothing committed is lost, the next start replays the log.
  process.kill(pid, 'SIGQUIT')
  if (!(await waitForExit(pid, 10_000))) throw new Error(`The embedded Postgres (pid ${pid}) does not stop.`)
}

async function createDatabase(adminUrl: string, name: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
