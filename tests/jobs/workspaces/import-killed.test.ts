import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import {
  aBusyWorkspace,
  archive,
  archivedRows,
  archiveText,
  eraseWorkspace,
} from '#tests/support/files/archives'
import { aUser } from '#tests/support/scenes/factories'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-killed-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs `npm run import-workspace`, as an operator does. */
function importing(file: string, email: string, limits: string[] = []) {
  const child = spawn(process.execPath, [...limits, 'scripts/import-workspace.ts', file, email], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  child.stderr.on('data', (bytes) => {
    said += String(bytes)
  })
  return { child, said: () => said, done: once(child, 'close') }
}

const kill = async ({ child, done }: { child: ChildProcess; done: Promise<unknown> }) => {
  child.kill('SIGKILL')
  await done
}

const email = async (user_id: string) => (await db.user.findUniqueOrThrow({ where: { user_id } })).email
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

test('an import whose process is killed in the middle of its rows leaves none, and comes in whole when it is run again', async () => {
  const { owner } = await aBusyWorkspace()
  const { workspace_id } = owner
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const file = path.join(folder, 'killed.ndjson')
  await writeFile(file, archiveText(lines))
  const { user_id } = await aUser()
  const address = await email(user_id)

  // The import proceeds to the ledger, and waits there.
  const gate = await pool().connect()
  await gate.query('BEGIN; LOCK TABLE actions IN EXCLUSIVE MODE')
  const first = importing(file, address)
  await expect.poll(async () => (await pool().query(WAITING)).rows.length).toBe(1)
  await kill(first)
  await gate.query('COMMIT')
  gate.release()
  await expect.poll(async () => (await pool().query(WAITING)).rows.length).toBe(0)
  const count = async () =>
    (await db.workspace.count({ where: { workspace_id } })) +
    (await db.campaign.count({ where: { workspace_id } }))
  expect(await count()).toBe(0)

  const second = importing(file, address)
  expect([(await second.done)[0], second.said()]).toEqual([0, expect.stringContaining('Imported')])
  const third = importing(file, address)
  expect([(await third.done)[0], third.said()]).toEqual([
    1,
    expect.stringMatching(/^Nothing was imported: .*\n$/),
  ])
  expect(archivedRows(await archive({ workspace_id, user_id }))).toEqual(archivedRows(lines))
})

const MEGABYTE = 1024 * 1024
const LARGE_MB = 200
/** Far more than what is read at a time, and far less than the file. */
const HEAP_MB = 96

test(`an archive of ${LARGE_MB} MB comes in through a process that may hold ${HEAP_MB} MB`, async () => {
  const { owner } = await aBusyWorkspace()
  const { workspace_id } = owner
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const reject = (at: number) => ({
    table: 'dataset_rejects',
    row: {
      reject_id: at + 1,
      dataset_id: lines.find(({ table }) => table === 'datasets')?.row?.dataset_id,
      workspace_id,
      row_number: at + 1,
      code: 'invalid_email',
      reason: 'This is no email address.',
      data: { note: 'x'.repeat(100_000) },
    },
  })
  const count = Math.ceil((LARGE_MB * MEGABYTE) / 100_000)
  function* text() {
    yield archiveText(lines.slice(0, -1))
    for (let at = 0; at < count; at += 1) yield archiveText([reject(at)])
    yield archiveText([{ end: true, rows: Number(lines.at(-1)?.rows) + count }])
  }
  const file = path.join(folder, 'large.ndjson')
  await pipeline(text, createWriteStream(file))
  expect((await stat(file)).size).toBeGreaterThan(LARGE_MB * MEGABYTE)
  const { user_id } = await aUser()
  const large = importing(file, await email(user_id), [`--max-old-space-size=${HEAP_MB}`])
  expect([(await large.done)[0], large.said()]).toEqual([0, expect.stringContaining('Imported')])
  expect(await db.datasetReject.count({ where: { workspace_id } })).toBe(count)
})
