import * as fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '#lib/db/embedded'
import { freePort } from '#lib/db/free-port'
import { inspectProcess } from '#lib/db/processes'
import { removeThrowaway, throwawayFolder } from '#tests/support/throwaway'

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
