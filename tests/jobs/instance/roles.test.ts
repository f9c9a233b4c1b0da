import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import { startEngine } from '#lib/engine/engine'
import { type Role, readRole, requireShared } from '#scripts/up/role'
import { environment, services } from '#scripts/up/services'
import { ROOT } from '#scripts/up/settings'
import {
  collectLog,
  databaseUrl,
  EVENT_KEY,
  SIGNING_KEY,
  spawnEngine,
  sql,
  until,
} from '#tests/support/engine'

const SHARED = {
  DATABASE_URL: 'postgresql://db/opener',
  ENCRYPTION_KEY: 'key',
  NEXTAUTH_SECRET: 'secret',
  APP_URL: 'https://opener.example.com',
  FILES_DIR: '/srv/files',
}

const settingsOf = (role: Role, port = 4000) => ({
  host: '127.0.0.1',
  port,
  dataFolder: '/nowhere',
  verbose: true,
  role,
})
const PORTS = { database: 1, engine: 2, smtp: 3 }
const namesOf = (role: Role) => services(settingsOf(role), PORTS, {}).map(({ name }) => name)

const running: ChildProcess[] = []
afterAll(async () => {
  for (const child of running.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

test('one machine does all unless it is told to do a part', () => {
  expect([readRole({}), readRole({ ROLE: '' }), readRole({ ROLE: 'engine' })]).toEqual([
    'all',
    'all',
    'engine',
  ])
  expect(() => readRole({ ROLE: 'worker' })).toThrow('ROLE is "worker": it must be one of all, web, engine.')
})

test('a web machine runs no background work, an engine machine no pages, and the sandbox is with the whole', () => {
  expect(namesOf('all')).toEqual(['sandbox mail', 'web', 'engine'])
  expect(namesOf('web')).toEqual(['web', 'engine'])
  expect(namesOf('engine')).toEqual(['worker', 'engine'])
  const smtp = (role: Role) => environment(settingsOf(role), PORTS, 'url').SANDBOX_SMTP_PORT
  expect([smtp('all'), smtp('web'), smtp('engine')]).toEqual(['3', undefined, undefined])
})

test.each([
  ['web', 'NEXTAUTH_SECRET', 'set NEXTAUTH_SECRET to the same on all of them'],
  ['web', 'APP_URL', 'set APP_URL to the same'],
  ['engine', 'DATABASE_URL', 'set DATABASE_URL to the same'],
  ['engine', 'ENCRYPTION_KEY', 'set ENCRYPTION_KEY to the same'],
  ['engine', 'FILES_DIR', 'needs file storage shared by all processes'],
] as const)('a part of an instance (%s) does not start without %s', (role, name, said) => {
  expect(() => requireShared(role, { ...SHARED, [name]: '' })).toThrow(said)
  expect(() => requireShared('all', { [name]: '' })).not.toThrow()
  expect(() => requireShared(role, SHARED)).not.toThrow()
})

test('an event taken by a web machine is worked on by an engine machine, whose worker says how it is', async () => {
  const [web, engine] = [await freePort(), await freePort()]
  const port = await freePort()
  const door = await startEngine({
    databaseUrl: databaseUrl(),
    serveUrl: 'http://127.0.0.1:1/api/inngest',
    port: web,
    signingKey: SIGNING_KEY,
    eventKey: EVENT_KEY,
    doorOnly: true,
    log: collectLog().log,
  })
  const send = async () =>
    fetch(`http://127.0.0.1:${web}/e/${EVENT_KEY}`, {
      method: 'POST',
      body: JSON.stringify({ name: 'inbound/arrived', data: { mailbox_id: randomUUID() } }),
    })
  try {
    expect((await fetch(`http://127.0.0.1:${web}/health`)).status).toBe(200)
    expect((await send()).status).toBe(200)
    expect(await sql('select 1 from engine.runs')).toEqual([])

    const worker = spawn(process.execPath, ['inngest/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        INNGEST_DEV: '0',
        INNGEST_BASE_URL: `http://127.0.0.1:${engine}`,
        INNGEST_SIGNING_KEY: SIGNING_KEY,
        INNGEST_EVENT_KEY: EVENT_KEY,
        DATA_DIR: path.join(ROOT, '.data-none'),
        LOG_LEVEL: 'error',
      },
    })
    running.push(worker)
    running.push(await spawnEngine(`http://127.0.0.1:${port}/api/inngest`, engine))
    const ofEvent = "select 1 from engine.runs where status = 'completed' and cron is null"
    await until(async () => (await sql(ofEvent)).length > 0, 'the run of the event to complete')

    const ask = (at: string) => fetch(`http://127.0.0.1:${port}${at}`)
    expect((await ask('/api/v1/health')).status).toBe(200)
    expect(await (await ask('/metrics')).text()).toContain('opener_database_up 1')
    expect((await ask('/api/v1/campaigns')).status).toBe(404)
    // Unsigned calls of its functions are refused, and so are unsigned requests to register them.
    for (const method of ['POST', 'PUT'])
      expect((await fetch(`http://127.0.0.1:${port}/api/inngest`, { method, body: '{}' })).status).toBe(401)
    // An unparsable signature does not end the process either.
    const headers = { 'x-inngest-signature': 't=0&s=none' }
    const call = { method: 'POST', headers, body: '{no' }
    const unreadable = await fetch(`http://127.0.0.1:${port}/api/inngest`, call)
    expect(unreadable.status).toBe(400)
    worker.kill('SIGTERM')
    expect((await once(worker, 'exit'))[0]).toBe(0)
  } finally {
    await door.stop()
  }
})
