import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startPostgres } from '#lib/db/embedded'
import { freePort } from '#lib/db/free-port'
import { inspectProcess } from '#lib/db/processes'
import { Instance } from '#scripts/up/instance'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const folders: string[] = []
afterAll(() => folders.forEach(removeThrowaway))

function aFolder(): string {
  const folder = throwawayFolder()
  folders.push(folder)
  return folder
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('what was committed survives kill -9 of the server, and nothing has to be cleared away', async () => {
  const folder = aFolder()
  const first = await startPostgres({ folder, port: await freePort() })
  await ask(first.url, 'create table kept as select 7 as n')
  process.kill(first.pid, 'SIGKILL')
  await first.exited

  const second = await startPostgres({ folder, port: await freePort() })
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }])
  await second.stop()
  expect(inspectProcess(second.pid)).toBeNull()
})

test('a server left running by a killed supervisor is shut down, and its data kept', async () => {
  const folder = aFolder()
  const left = await startPostgres({ folder, port: await freePort() })
  await ask(left.url, 'create table kept as select 7 as n')

  const next = await startPostgres({ folder, port: await freePort() })
  expect(inspectProcess(left.pid)).toBeNull()
  expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }])
  await next.stop()
})

test('a postmaster.pid whose number now belongs to somebody else does not stand in the way', async () => {
  const folder = aFolder()
  const first = await startPostgres({ folder, port: await freePort() })
  await first.stop()
  const { home } = JSON.parse(fs.readFileSync(path.join(folder, 'postgres.json'), 'utf8'))
  fs.writeFileSync(path.join(home, 'cluster/postmaster.pid'), `${process.pid}\n${home}/cluster\n`)

  const second = await startPostgres({ folder, port: await freePort() })
  expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await second.stop()
})

test('a port in use is one clear sentence', async () => {
  const port = Number(new URL(process.env.DATABASE_URL ?? '').port)
  await expect(startPostgres({ folder: aFolder(), port })).rejects.toThrow(
    `Port ${port} is already in use (wanted by the database).`,
  )
})

test('its password is readable by the owner only', async () => {
  const folder = aFolder()
  const server = await startPostgres({ folder, port: await freePort() })
  await server.stop()
  expect(fs.statSync(path.join(folder, 'postgres.json')).mode & 0o777).toBe(0o600)
  const open = new URL(server.url)
  expect(open.password.length).toBeGreaterThanOrEqual(48)
})

const homeOf = (folder: string): string =>
  JSON.parse(fs.readFileSync(path.join(folder, 'postgres.json'), 'utf8')).home

test('a folder that was removed starts anew, and what it kept elsewhere is stopped and named', async () => {
  // Not accessible to the account under which root runs Postgres, like a home folder of mode 0700.
  const closed = aFolder()
  fs.chmodSync(closed, 0o700)
  const folder = path.join(closed, '.data')
  const left = await startPostgres({ folder, port: await freePort() })
  await ask(left.url, 'create table kept as select 7 as n')
  const old = left.elsewhere
  if (!old) await left.stop()
  fs.rmSync(folder, { recursive: true })

  const next = await startPostgres({ folder, port: await freePort() })
  try {
    expect(await ask(next.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }])
    expect(inspectProcess(left.pid)).toBeNull()
    expect(next.forgotten).toEqual(old ? [old] : [])
  } finally {
    await next.stop()
    for (const home of [old, next.elsewhere]) if (home) fs.rmSync(home, { recursive: true })
  }
})

const numbers = (url: string) => ask(url, 'select n from kept')

test('a data folder that was moved has its database in it', async () => {
  const folder = path.join(aFolder(), 'data')
  const first = await startPostgres({ folder, port: await freePort() })
  await ask(first.url, 'create table kept as select 7 as n')
  await first.stop()
  fs.renameSync(folder, `${folder}.moved`)
  const moved = await startPostgres({ folder: `${folder}.moved`, port: await freePort() })
  expect(await numbers(moved.url)).toEqual([{ n: 7 }])
  await moved.stop()
})

test('a copy of a data folder has a database of its own, and leaves the server of the first alone', async () => {
  const folder = path.join(aFolder(), 'data')
  const first = await startPostgres({ folder, port: await freePort() })
  await ask(first.url, 'create table kept as select 7 as n')
  await first.stop()
  execFileSync('cp', ['-a', folder, `${folder}.copy`])
  const again = await startPostgres({ folder, port: await freePort() })
  const copy = await startPostgres({ folder: `${folder}.copy`, port: await freePort() })
  await ask(copy.url, 'update kept set n = 8')
  expect(await numbers(again.url)).toEqual([{ n: 7 }])
  await copy.stop()
  await again.stop()
})

test('a copy of a data folder whose database is elsewhere is refused, also through a link; a folder that was moved is not', async () => {
  const folder = path.join(aFolder(), 'data')
  const home = path.join(aFolder(), 'home')
  const first = await startPostgres({ folder, port: await freePort() })
  await first.stop()
  // As where root's folders are not accessible to the account of Postgres.
  fs.renameSync(homeOf(folder), home)
  const { password } = JSON.parse(fs.readFileSync(path.join(folder, 'postgres.json'), 'utf8'))
  fs.writeFileSync(path.join(folder, 'postgres.json'), JSON.stringify({ home, password }))
  fs.rmSync(path.join(home, 'data-folder'))
  const again = await startPostgres({ folder, port: await freePort() })
  execFileSync('cp', ['-a', folder, `${folder}.copy`])
  const copy = startPostgres({ folder: `${folder}.copy`, port: await freePort() })
  await expect(copy).rejects.toThrow('it is a copy without a database of its own')
  expect(await ask(again.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await again.stop()
  fs.symlinkSync(folder, `${folder}.link`)
  for (const same of [`${folder}.link`, folder])
    await (await startPostgres({ folder: same, port: await freePort() })).stop()
  fs.rmSync(folder, { recursive: true })
  await (await startPostgres({ folder: `${folder}.copy`, port: await freePort() })).stop()
})

test('root opens the database of another account as that account, and leaves its files to it', async () => {
  // Only root can change the owner of files.
  const isRoot = process.getuid?.() === 0
  const folder = aFolder()
  const first = await startPostgres({ folder, port: await freePort() })
  await first.stop()
  const { uid, gid } = isRoot ? { uid: 61_234, gid: 61_234 } : fs.statSync(folder)
  if (isRoot) execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
  fs.rmSync(path.join(homeOf(folder), 'data-folder'))
  await (await startPostgres({ folder, port: await freePort() })).stop()
  for (const file of ['postgres.json', 'postgres/data-folder', 'postgres/cluster/PG_VERSION'])
    expect(fs.statSync(path.join(folder, file)), file).toMatchObject({ uid, gid })
})

test('a damaged postgres.json is one sentence', async () => {
  const folder = aFolder()
  fs.writeFileSync(path.join(folder, 'postgres.json'), '')
  const start = startPostgres({ folder, port: await freePort() })
  await expect(start).rejects.toThrow(
    `The embedded Postgres of ${folder} cannot be opened: ${folder}/postgres.json is damaged`,
  )
})

test('a cluster with another password says what to remove, and nothing of it stays running', async () => {
  const folder = aFolder()
  const first = await startPostgres({ folder, port: await freePort() })
  await first.stop()
  const home = homeOf(folder)
  fs.writeFileSync(path.join(folder, 'postgres.json'), JSON.stringify({ home, password: 'of another' }))
  const pids: number[] = []
  const again = startPostgres({ folder, port: await freePort(), spawned: (pid) => pids.push(pid) })
  await expect(again).rejects.toThrow(`The embedded Postgres in ${home} does not know its password`)
  expect(pids.map(inspectProcess)).toEqual([null])
})

test('a cluster whose password was removed alone is kept, and its way out said', async () => {
  const folder = aFolder()
  await (await startPostgres({ folder, port: await freePort() })).stop()
  const home = homeOf(folder)
  fs.rmSync(path.join(folder, 'postgres.json'))
  await expect(startPostgres({ folder, port: await freePort() })).rejects.toThrow(
    `or remove ${home} to start`,
  )
  expect(fs.existsSync(path.join(home, 'cluster'))).toBe(true)
  fs.writeFileSync(path.join(folder, 'postgres.json'), JSON.stringify({ home, password: '' }))
})

/** Only the database of the instance is started. */
const anInstance = async (folder: string) =>
  new Instance(
    { host: '127.0.0.1', port: 1, dataFolder: folder, verbose: false, role: 'all' },
    { ...NO_PORTS, database: await freePort() },
  )

test.each(['initdb', 'postgres'])('a stop while %s starts leaves nothing running', async (name) => {
  const folder = aFolder()
  if (name === 'postgres') await (await startPostgres({ folder, port: await freePort() })).stop()
  const instance = await anInstance(folder)
  const starting = instance.startPostgres().catch((error: unknown) => error)
  await instance.stop()
  expect(await starting).toMatchObject({ name: 'AbortError' })
  expect(runningIn(homeOf(folder))).toEqual([])
})

test('a folder that is removed while it runs is said, no empty database takes its place, and put back it goes on', async () => {
  const folder = path.join(aFolder(), 'data')
  const instance = await anInstance(folder)
  const url = await instance.startPostgres()
  await ask(url, 'create table kept as select 7 as n')
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  fs.renameSync(folder, `${folder}.away`)
  for (const pid of pidsIn(folder)) process.kill(pid, 'SIGQUIT')
  const lines = () => said.mock.calls.flat().join('\n')
  await expect.poll(lines, { timeout: 30_000 }).toContain(`${folder} was removed while Opener is using it`)
  expect(fs.existsSync(folder)).toBe(false)
  // Another process starts the server meanwhile: it is left alone.
  const other = await startPostgres({ folder, port: await freePort() })
  const told = said.mock.calls.length
  await expect.poll(() => said.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(told + 1)
  expect(await ask(other.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await other.stop()
  fs.rmSync(folder, { recursive: true })
  fs.renameSync(`${folder}.away`, folder)
  const kept = () => ask(url, 'select n from kept').catch(() => null)
  await expect.poll(kept, { timeout: 30_000 }).toEqual([{ n: 7 }])
  said.mockRestore()
  await instance.stop()
}, 90_000)

const NO_PORTS = { engine: 0, smtp: 0, database: 0 }

/** Running commands that name `home`. */
const runningIn = (home: string) => pidsIn(home).flatMap((pid) => inspectProcess(pid)?.command ?? [])

function pidsIn(home: string): number[] {
  const pids = execFileSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).split('\n').map(Number)
  return pids.filter((pid) => inspectProcess(pid)?.command.includes(home))
}
