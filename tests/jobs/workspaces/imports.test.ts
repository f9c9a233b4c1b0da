import { expect, test } from 'vitest'
import { PreviewUpload } from '#lib/contracts/datasets/uploads'
import {
  CreateWorkspaceImport,
  ListWorkspaces,
  ReadWorkspaceImport,
  StartWorkspaceImport,
} from '#lib/contracts/workspaces/workspaces'
import { db, pool } from '#lib/db/client'
import { forgetUploads } from '#lib/services/files/uploads'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import {
  askForStaleWorkspaceImports,
  latestImport,
  runImport,
} from '#lib/services/workspaces/archive/imports'
import { createWorkspace, MAX_OWNED } from '#lib/services/workspaces/workspaces'
import { call } from '#tests/support/call'
import {
  aBusyWorkspace,
  archive,
  archivedRows,
  archiveText,
  eraseWorkspace,
} from '#tests/support/files/archives'
import { aUser } from '#tests/support/scenes/factories'
import { put } from '#tests/support/scenes/uploads'

type Person = Awaited<ReturnType<typeof aUser>>

const utf8 = (text: string) => new TextEncoder().encode(text)

/** Requests an upload address and uploads the file to it. */
async function sent(as: Person, text: string, filename = 'acme.ndjson') {
  const bytes = utf8(text)
  const made = await call(CreateWorkspaceImport, { as, body: { filename, size_bytes: bytes.length } })
  expect(made.status).toBe(201)
  expect((await put(made.body, bytes)).status).toBe(204)
  return made.body.import_id
}

const start = (as: Person, import_id: string) => call(StartWorkspaceImport, { as, params: { import_id } })
const read = async (as: Person, import_id: string) =>
  (await call(ReadWorkspaceImport, { as, params: { import_id } })).body

/** The outcome of an upload that was imported. */
async function imported(as: Person, text: string) {
  const import_id = await sent(as, text)
  const started = await start(as, import_id)
  expect(started.status).toBe(202)
  expect(started.body).toMatchObject({ status: 'queued', read_bytes: 0, result: null, error: null })
  await runImport(import_id, new Date())
  return read(as, import_id)
}

test('a workspace leaves by one address and comes in by another: every row of it, and the answer says what to do next', async () => {
  const { owner, campaign_id } = await aBusyWorkspace()
  const before = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const done = await imported(next, archiveText(before))
  expect(done).toMatchObject({
    status: 'completed',
    filename: 'acme.ndjson',
    read_bytes: done.size_bytes,
    error: null,
    completed_at: expect.any(String),
    result: {
      workspace_id: owner.workspace_id,
      rows: archivedRows(before).length,
      campaigns: 1,
      paused_campaigns: 1,
      leads: 4,
      mailboxes: 1,
    },
  })
  expect(done.result?.left_out).toMatchObject({ users: 1, members: 1 })
  const after = await archive({ workspace_id: owner.workspace_id, user_id: next.user_id })
  expect(archivedRows(after)).toEqual(archivedRows(before))
  const mine = (await call(ListWorkspaces, { as: next })).body.items
  expect(mine).toContainEqual(
    expect.objectContaining({ workspace_id: owner.workspace_id, role: 'owner', slug: done.result?.slug }),
  )
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ status: 'paused' })
  expect(await db.mailbox.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })).toMatchObject({
    status: 'failing',
  })
  expect(await db.uploadedFile.count({ where: { workspace_id: next.workspace_id } })).toBe(0)
})

test('what is refused says which line of which table, leaves nothing, and its file is let go of', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const at = lines.findIndex(({ table }) => table === 'campaign_leads')
  Object.assign(lines[at]?.row ?? {}, { campaign_id: crypto.randomUUID() })
  const next = await aUser()
  const done = await imported(next, archiveText(lines))
  expect(done).toMatchObject({ status: 'failed', result: null, completed_at: expect.any(String) })
  expect(done.error).toContain(`line ${at + 1} of the archive (campaign_leads)`)
  expect(await db.workspace.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  expect(await db.uploadedFile.count({ where: { workspace_id: next.workspace_id } })).toBe(0)
})

test('a workspace that is on this instance stays as it is', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  expect(await imported(await aUser(), archiveText(lines))).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('there already'),
  })
  expect(archivedRows(await archive(owner))).toEqual(archivedRows(lines))
})

test.each([
  ['a table', 'Email,Name\nada@example.com,Ada\n', 'no export of Opener'],
  ['another JSON', '{"hello":1}\n', 'no export of Opener'],
  [
    'an export of a later release',
    `{"export":"opener","version":9,"workspace_id":"${crypto.randomUUID()}"}\n`,
    'version 9',
  ],
])('%s is refused before it waits for anything', async (_, text, said) => {
  const person = await aUser()
  const import_id = await sent(person, text)
  const { status, error } = await start(person, import_id)
  expect([status, error.detail]).toEqual([409, 'invalid_state'])
  expect(error.message).toContain(said)
  expect(await read(person, import_id)).toMatchObject({ status: 'waiting' })
})

test('gzip is refused by its first bytes, and never unpacked', async () => {
  const person = await aUser()
  const bytes = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
  const { body } = await call(CreateWorkspaceImport, {
    as: person,
    body: { filename: 'a.gz', size_bytes: bytes.length },
  })
  await put(body, bytes)
  const { status, error } = await start(person, body.import_id)
  expect([status, error.message]).toEqual([409, expect.stringContaining('packed')])
})

test('a file that has not arrived, and one that is larger than was said', async () => {
  const person = await aUser()
  const { body } = await call(CreateWorkspaceImport, { as: person, body: { filename: 'a', size_bytes: 10 } })
  expect((await start(person, body.import_id)).error.detail).toBe('upload_missing')
  expect((await put(body, utf8('x'.repeat(11)))).status).toBe(400)
  expect((await start(person, body.import_id)).error.detail).toBe('upload_missing')
})

test.each([
  ['size_bytes', { filename: 'a', size_bytes: 2_000_000_001 }],
  ['size_bytes', { filename: 'a', size_bytes: 0 }],
  ['filename', { size_bytes: 10 }],
])('a wrong %s is named', async (field, body) => {
  const { status, text } = await call(CreateWorkspaceImport, { as: await aUser(), body })
  expect(status).toBe(422)
  expect(text).toContain(field)
})

test('started twice it is imported once, by whoever comes first', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const import_id = await sent(next, archiveText(lines))
  await Promise.all([start(next, import_id), start(next, import_id)])
  expect(await runImport(import_id, new Date())).toBe(true)
  expect(await runImport(import_id, new Date())).toBe(false)
  expect((await start(next, import_id)).body).toMatchObject({ status: 'completed' })
})

test('one at a time: what waits makes room, what is under way does not', async () => {
  const person = await aUser()
  const { owner } = await aBusyWorkspace()
  const text = archiveText(await archive(owner))
  const first = await sent(person, text)
  const second = await sent(person, text)
  expect((await start(person, first)).status).toBe(404)
  await start(person, second)
  const third = await call(CreateWorkspaceImport, { as: person, body: { filename: 'a', size_bytes: 10 } })
  expect([third.status, third.error.message]).toEqual([
    409,
    expect.stringContaining('already have an import running'),
  ])
})

test('it is a person’s; no key asks, and no spreadsheet is made of it', async () => {
  const [person, other] = [await aUser(), await aUser()]
  const import_id = await sent(person, 'Email\nada@example.com\n', 'leads.csv')
  expect((await call(ReadWorkspaceImport, { as: other, params: { import_id } })).error.detail).toBe(
    'import_not_found',
  )
  const { key } = await createApiKey(person, { name: 'K', scopes: ['admin'] }, new Date())
  expect(
    (await call(CreateWorkspaceImport, { token: key, body: { filename: 'a', size_bytes: 1 } })).status,
  ).toBe(403)
  const { upload_id } = await db.uploadedFile.findFirstOrThrow({ where: { import_id } })
  expect((await call(PreviewUpload, { as: person, params: { upload_id } })).status).toBe(404)
})

test('who owns as many workspaces as one may is told before they send anything', async () => {
  const person = await aUser()
  await pool().query(
    `WITH made AS (INSERT INTO workspaces (name, slug, updated_at)
       SELECT 'W', 'w-' || gen_random_uuid(), now() FROM generate_series(2, $2) RETURNING workspace_id)
     INSERT INTO members (workspace_id, user_id, role) SELECT workspace_id, $1, 'owner' FROM made`,
    [person.user_id, MAX_OWNED],
  )
  const made = await call(CreateWorkspaceImport, { as: person, body: { filename: 'a', size_bytes: 10 } })
  expect([made.status, made.error.detail]).toEqual([409, 'workspaces_full'])
})

test('one whose worker died is asked for again, begins anew, and its file waits for it', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const import_id = await sent(next, archiveText(lines))
  await start(next, import_id)
  const died = { status: 'running', read_bytes: 77, updated_at: new Date(Date.now() - 180_000) } as const
  await db.workspaceImport.update({ where: { import_id }, data: died })
  await forgetUploads(new Date(Date.now() + 3 * 3_600_000))
  expect(await askForStaleWorkspaceImports(new Date())).toBeGreaterThan(0)
  await runImport(import_id, new Date())
  expect(await read(next, import_id)).toMatchObject({ status: 'completed' })
  expect(await latestImport(next, new Date())).toMatchObject({ import_id })
  expect(await latestImport(next, new Date(Date.now() + 2 * 86_400_000))).toBeNull()
})

test('one whose connection is cut while it writes leaves no row, and comes in whole when it begins anew', async () => {
  const { owner, campaign_id } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const import_id = await sent(next, archiveText(lines))
  await start(next, import_id)
  // The import proceeds to the ledger, and waits there.
  const gate = await pool().connect()
  await gate.query('BEGIN; LOCK TABLE actions IN EXCLUSIVE MODE')
  const cut = runImport(import_id, new Date()).catch((error: Error) => error)
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool().query(waiting)).rows.length).toBe(1)
  await pool().query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) one`)
  expect(await cut).toBeInstanceOf(Error)
  await gate.query('COMMIT')
  gate.release()
  expect(await db.campaign.count({ where: { campaign_id } })).toBe(0)
  expect(await read(next, import_id)).toMatchObject({ status: 'running', result: null })

  const later = new Date(Date.now() + 180_000)
  expect(await askForStaleWorkspaceImports(later)).toBeGreaterThan(0)
  await runImport(import_id, later)
  expect(await read(next, import_id)).toMatchObject({ status: 'completed' })
  expect(await db.campaign.count({ where: { campaign_id } })).toBe(1)
})

test('it goes on to be theirs who asked when they work elsewhere, and one that nobody starts is forgotten', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const import_id = await sent(next, archiveText(lines))
  const { workspace_id } = await createWorkspace(next.user_id, 'Elsewhere')
  const there = { as: next, headers: { 'x-workspace-id': workspace_id }, params: { import_id } }
  expect((await call(StartWorkspaceImport, there)).body).toMatchObject({ status: 'queued' })
  await runImport(import_id, new Date())
  expect((await call(ReadWorkspaceImport, there)).body).toMatchObject({ status: 'completed' })
  expect(await latestImport(next, new Date())).toMatchObject({ import_id })

  const second = await sent(next, archiveText(lines))
  await askForStaleWorkspaceImports(new Date(Date.now() + 2 * 3_600_000))
  expect(await read(next, second)).toMatchObject({ status: 'waiting' })
  await askForStaleWorkspaceImports(new Date(Date.now() + 4 * 3_600_000))
  expect((await call(ReadWorkspaceImport, { as: next, params: { import_id: second } })).status).toBe(404)
})
