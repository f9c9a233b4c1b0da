import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort, portIsFree } from '#lib/db/free-port'
import { inspectProcess, waitForExit } from '#lib/db/processes'
import { keepRunning, type Service } from '#scripts/up/child'
import { claimFolder } from '#scripts/up/claim'
import { checkDatabase } from '#scripts/up/database'
import { isRunning, self, takeLock } from '#scripts/up/lock'
import { startOnDemand } from '#scripts/up/on-demand'
import { endLeftOvers, readRunFile, writeRunFile } from '#scripts/up/run-file'
import { makeNewKey, readSecrets } from '#scripts/up/secrets'
import { choosePorts } from '#scripts/up/settings'
import { explain, Trouble } from '#scripts/up/trouble'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))
const inFolder = (name: string) => path.join(folder, name)

/** A process that idles until it is told to stop. */
function anIdler() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return { pid: child.pid ?? 0, kill: () => child.kill('SIGKILL'), ended }
}

function aService(name: string, script: string): Service {
  fs.writeFileSync(inFolder(`${name}.mjs`), script)
  const log = inFolder(`${name}.log`)
  const isReady = async () => fs.existsSync(log) && fs.readFileSync(log, 'utf8').includes('ready')
  return { name, args: [inFolder(`${name}.mjs`)], env: process.env, log, isReady }
}

const listening = 'console.log("ready", process.pid); setInterval(() => {}, 1000)'

test('a lock is held by one process, and free again once released', () => {
  const file = inFolder('held.lock')
  const lock = takeLock(file)
  expect(takeLock(file)).toEqual({ heldBy: self() })
  if ('release' in lock) lock.release()
  expect(takeLock(file)).toHaveProperty('release')
})

test('the lock of a killed process is taken over, and so is one whose pid is somebody else by now', async () => {
  const file = inFolder('stale.lock')
  const idler = anIdler()
  const holder = self(idler.pid)
  fs.writeFileSync(file, JSON.stringify(holder))
  expect(takeLock(file)).toEqual({ heldBy: holder })
  idler.kill()
  await idler.ended
  const lock = takeLock(file)
  expect(lock).toHaveProperty('release')

  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, started: 'at another time' }))
  expect(takeLock(file)).toHaveProperty('release')
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('stale.lock.'))).toEqual([])
})

test('a folder is for one instance, also where somebody removed the lock of the one that runs', async () => {
  const data = inFolder('claimed')
  const release = claimFolder(data)
  expect(() => claimFolder(data)).toThrow(`Opener already runs on ${data} (pid ${process.pid})`)
  release()
  const idler = anIdler()
  const run = { ...self(idler.pid), url: 'http://127.0.0.1:1', port: 1, children: {}, env: {} }
  writeRunFile(data, run)
  expect(() => claimFolder(data)).toThrow(`Opener already runs on ${data} at ${run.url} (pid ${idler.pid})`)
  expect(fs.existsSync(path.join(data, 'up.lock'))).toBe(false)
  idler.kill()
  await idler.ended
  claimFolder(data)()
})

test('a folder that was removed while its instance runs is not made anew by what it writes', () => {
  const data = inFolder('removed')
  const run = { ...self(), url: 'http://127.0.0.1:1', port: 1, children: {}, env: {} }
  expect(() => writeRunFile(data, run)).toThrow(`${data} was removed.`)
  expect(fs.existsSync(data)).toBe(false)
})

test('secrets are made once, only their owner reads them, and the environment wins', () => {
  const first = readSecrets(inFolder('secret'), {})
  expect(Buffer.from(first.ENCRYPTION_KEY, 'base64')).toHaveLength(32)
  expect(first.INNGEST_SIGNING_KEY).toMatch(/^signkey-prod-[0-9a-f]{64}$/)
  expect(fs.statSync(inFolder('secret/secrets.json')).mode & 0o777).toBe(0o600)
  expect(readSecrets(inFolder('secret'), {})).toEqual(first)
  const own = readSecrets(inFolder('secret'), { NEXTAUTH_SECRET: 'mine' })
  expect(own).toEqual({ ...first, NEXTAUTH_SECRET: 'mine' })
  expect(readSecrets(inFolder('secret'), {})).toEqual(first)
})

test('the web port is never moved, the others move to the next free one and say so', async () => {
  const port = await freePort()
  const settings = { host: '127.0.0.1', port, dataFolder: folder, verbose: false, role: 'all' as const }
  const wanted = await choosePorts(settings, () => {})
  const blocker = createServer().listen(wanted.engine, '127.0.0.1')
  await once(blocker, 'listening')
  expect(await portIsFree(wanted.engine)).toBe(false)
  const said: string[] = []
  const moved = await choosePorts(settings, (line) => said.push(line))
  expect(moved.engine).toBeGreaterThan(wanted.engine)
  expect({ ...moved, engine: 0 }).toEqual({ ...wanted, engine: 0 })
  expect(said).toEqual([`Port ${wanted.engine} (engine) is taken: using ${moved.engine} instead.`])

  const taken = choosePorts({ ...settings, port: wanted.engine }, () => {})
  await expect(taken).rejects.toThrow(`Port ${wanted.engine} is already in use`)
  blocker.close()
})

test.each([
  ['wrong password', { password: 'wrong' }, /refuses user "opener": check user and password/],
  ['missing database', { pathname: '/nowhere' }, /there is no database "nowhere" at 127\.0/],
  ['nobody there', { port: '1' }, /no Postgres answers at 127\.0\.0\.1:1\./],
  // A host name that no resolver sends to the network.
  ['no such host', { hostname: 'no..where' }, /no such host \(no\.\.where/],
  ['not an address', { protocol: 'mysql:' }, /is not an address like postgresql:/],
])('DATABASE_URL, %s: one sentence without the password', async (_name, wrong, sentence) => {
  const url = Object.assign(new URL(process.env.DATABASE_URL ?? ''), wrong)
  const error = await checkDatabase(url.href).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Trouble)
  const said = explain(error, folder)
  expect(said).toMatch(sentence)
  expect(said).toMatch(/^DATABASE_URL[^\n]+\.$/)
  expect(said).not.toContain(url.password)
})

test('a DATABASE_URL that leads to a Postgres is taken', async () => {
  await expect(checkDatabase(process.env.DATABASE_URL ?? '')).resolves.toBeUndefined()
})

test('a full disk and a folder of somebody else are one sentence each', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(explain(full, '/data')).toBe('The disk is full: no room left for /data or the build.')
  const closed = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    path: '/data/up.lock',
  })
  expect(explain(closed, '/data')).toMatch(/^Cannot write \/data\/up\.lock: [^\n]+\.$/)
  const above = Object.assign(new Error('ENOENT: no such file or directory'), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path: '/media/data',
  })
  expect(explain(above, '/media/data')).toMatch(/^Cannot make \/media\/data: [^\n]+\.$/)
})

test('a host that is not of this machine is no port in use', async () => {
  // Addresses reserved for documentation (RFC 5737).
  const settings = {
    host: '192.0.2.1',
    port: await freePort(),
    dataFolder: folder,
    verbose: false,
    role: 'all' as const,
  }
  await expect(choosePorts(settings, () => {})).rejects.toThrow(
    /^HOST is "192\.0\.2\.1", where this machine cannot listen/,
  )
})

test('damaged files of a data folder: secrets are never made anew over them, what ran is forgotten', async () => {
  const damaged = inFolder('damaged')
  fs.mkdirSync(damaged)
  fs.writeFileSync(path.join(damaged, 'secrets.json'), '{"ENCRYPTION_KEY": "a')
  expect(() => readSecrets(damaged, {})).toThrow(
    /secrets\.json is damaged.+put a copy of it back.+move it away/,
  )
  expect(() => makeNewKey(damaged)).toThrow(/secrets\.json is damaged/)
  expect(fs.readFileSync(path.join(damaged, 'secrets.json'), 'utf8')).toBe('{"ENCRYPTION_KEY": "a')
  fs.writeFileSync(path.join(damaged, 'run.json'), '')
  expect(readRunFile(damaged)).toBeNull()
  await endLeftOvers(damaged)
  expect(fs.existsSync(path.join(damaged, 'run.json'))).toBe(false)
})

test('a service that dies is started again; stopped, it stays so', async () => {
  const service = aService('phoenix', listening)
  const said: string[] = []
  let changes = 0
  const running = await keepRunning(service, { say: (line) => said.push(line), changed: () => changes++ })
  const first = running.pid() ?? 0
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(changes).toBe(1), 60_000)
  const second = running.pid() ?? 0
  expect(second).not.toBe(first)
  expect(said).toEqual(['phoenix stopped (SIGKILL): restarting in 0.5 s.'])
  await running.stop()
  expect(inspectProcess(second)).toBeNull()
  expect(changes).toBe(1)
})

test('a service that cannot start says what it said itself', async () => {
  const broken = aService('broken', 'console.error("no such table"); process.exit(3)')
  await expect(keepRunning(broken, { say: () => {}, changed: () => {} })).rejects.toThrow(
    /^broken did not start\. It said:\nno such table$/,
  )
})

test('a service does not outlive a supervisor that was killed', async () => {
  const service = aService('orphan', listening)
  const module = path.resolve('scripts/up/child.ts')
  const script = `
    import fs from 'node:fs'
    import { keepRunning } from ${JSON.stringify(module)}
    const service = { ...${JSON.stringify({ ...service, env: {} })}, env: process.env }
    service.isReady = async () => fs.existsSync(service.log) && fs.readFileSync(service.log, 'utf8').includes('ready')
    const running = await keepRunning(service, { say() {}, changed() {} })
    fs.writeFileSync(${JSON.stringify(inFolder('orphan.pid'))}, String(running.pid()))
    setInterval(() => {}, 1000)`
  const supervisor = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const pid = await vi.waitFor(() => Number(fs.readFileSync(inFolder('orphan.pid'), 'utf8') || NaN), 60_000)
  supervisor.kill('SIGKILL')
  expect(await waitForExit(pid, 60_000)).toBe(true)
})

test('what a killed run left behind is ended, and nobody else with its pid', async () => {
  const left = anIdler()
  const stranger = anIdler()
  const children = { web: self(left.pid), engine: { ...self(stranger.pid), started: 'at another time' } }
  const gone = { pid: 999_999_999, started: 'long ago' }
  writeRunFile(folder, { ...gone, url: 'http://127.0.0.1:1', port: 1, children, env: {} })
  expect(readRunFile(folder)).toBeNull()

  await endLeftOvers(folder)

  await left.ended
  expect(isRunning(self(stranger.pid))).toBe(true)
  expect(fs.existsSync(inFolder('run.json'))).toBe(false)
  stranger.kill()
})

test('what is started on demand takes every connection, and is started anew where it died', async () => {
  const service = aService(
    'asked',
    `process.on('message', (_, socket) => socket.end(String(process.pid)))
    process.channel.ref()
    process.on('SIGTERM', () => process.exit(0))`,
  )
  const port = await freePort()
  const said: string[] = []
  const running = await startOnDemand(service, port, { say: (line) => said.push(line), changed: () => {} })
  const ask = async () => {
    const socket = connect(port, '127.0.0.1')
    const [answer] = await once(socket, 'data')
    return Number(answer)
  }
  expect(running.pid()).toBeNull()
  const [first, other] = await Promise.all([ask(), ask()])
  expect([first, other]).toEqual([running.pid(), running.pid()])

  process.kill(first, 'SIGKILL')
  await waitForExit(first, 5_000)
  await vi.waitUntil(() => running.pid() === null)
  const second = await ask()
  expect(second).not.toBe(first)
  expect(said).toEqual(['asked stopped (SIGKILL): again when it is asked.'])

  await running.stop()
  expect(inspectProcess(second)).toBeNull()
  expect(await portIsFree(port, '127.0.0.1')).toBe(true)
})
