import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { SEALED_COLUMNS } from '#lib/db/rotate-key'
import { isSecret } from '#lib/services/workspaces/archive/account-export'
import { ARCHIVE_TABLES, NOT_IMPORTED, WORKSPACE_SETTINGS } from '#lib/services/workspaces/archive/tables'
import { importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { ownedTables } from '#lib/services/workspaces/owned-tables'
import {
  type ArchiveLine,
  aBusyWorkspace,
  archive,
  archiveBytes,
  archivedRows,
  eraseWorkspace,
} from '#tests/support/files/archives'
import { aThread, aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'

/** Tables of the instance: none of their rows belongs to a workspace or a person. */
const OF_THE_INSTANCE = [
  'signing_keys',
  'probe_slots',
  'recipient_domains',
  'stray_files',
  'used_grants',
  'mail_connections',
  'wake',
  'backfills',
  'sweeps',
  '_prisma_migrations',
]

/** Every column of the schema as `table.column`, in the order of the tables. */
async function readColumns(): Promise<Map<string, string[]>> {
  const { rows } = await pool().query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
     FROM information_schema.columns JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' GROUP BY table_name`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

test('every table comes in, or stays behind for a reason that is said', async () => {
  const archived = ARCHIVE_TABLES.map(({ name }) => name)
  const known = ['workspaces', ...archived, ...Object.keys(NOT_IMPORTED), ...OF_THE_INSTANCE]
  expect(known.toSorted()).toEqual([...(await readColumns()).keys()].toSorted())
  expect(Object.entries(NOT_IMPORTED).filter(([, reason]) => reason.length < 5)).toEqual([])
})

test('every table that comes in is exported', async () => {
  const owned = await ownedTables(pool(), crypto.randomUUID(), [crypto.randomUUID()])
  const exported = new Set(owned.map(({ name }) => name))
  expect(ARCHIVE_TABLES.filter(({ name }) => !exported.has(name))).toEqual([])
})

/** The exported columns of each table, read from the archive of a workspace with many kinds of rows. */
async function exportedColumns(): Promise<Map<string, Set<string>>> {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  const columns = new Map<string, Set<string>>()
  for (const { table, row } of lines) if (table && row) columns.set(table, new Set(Object.keys(row)))
  return columns
}

test('every column of a table that comes in travels, or stays behind for a reason that is said', async () => {
  const there = await readColumns()
  const exported = await exportedColumns()
  const compared: string[] = []
  for (const { name, left = {} } of ARCHIVE_TABLES) {
    const travels = exported.get(name)
    if (!travels) continue
    compared.push(name)
    const columns = there.get(name) ?? []
    expect([name, columns.filter((column) => !travels.has(column))]).toEqual([name, Object.keys(left).sort()])
  }
  expect(compared).toEqual(
    expect.arrayContaining(['mailboxes', 'campaigns', 'campaign_leads', 'actions', 'people']),
  )
})

test('no export has a column of what is sealed', () => {
  expect(SEALED_COLUMNS.filter(({ column }) => !isSecret(column))).toEqual([])
})

test('no column by the name of a secret is in a table that comes in, unless it is named', async () => {
  const there = await readColumns()
  const named = ARCHIVE_TABLES.flatMap(({ name, left = {} }) =>
    Object.keys(left).map((column) => `${name}.${column}`),
  )
  const secret = ARCHIVE_TABLES.flatMap(({ name }) =>
    (there.get(name) ?? []).filter(isSecret).map((column) => `${name}.${column}`),
  )
  expect(secret.toSorted()).toEqual(named.toSorted())
})

test('every decision of a workspace travels, or stays behind for a reason that is said', async () => {
  const { workspaces = [] } = Object.fromEntries(await readColumns())
  const reasons: Record<string, string> = {
    workspace_id: 'kept',
    name: 'kept',
    slug: 'made of the name, since another workspace may have it',
    tier: 'paid for on the old instance',
    extra_api_keys: 'of referrals on the old instance',
    billing_customer_id: 'paid for on the old instance',
    subscription_status: 'paid for on the old instance',
    current_period_end: 'paid for on the old instance',
    subscription_cancels: 'paid for on the old instance',
    parent_workspace_id: 'another workspace',
    billed_by_parent: 'another workspace',
    reply_assignment: 'of members, who are invited anew',
    reply_assignees: 'of members, who are invited anew',
    people_searched_to: 'of texts that are filled anew',
    campaigns_count: 'counted as the campaigns come in',
    version: 'begins anew',
    created_at: 'begins anew',
    updated_at: 'begins anew',
  }
  expect([...WORKSPACE_SETTINGS, ...Object.keys(reasons)].toSorted()).toEqual(workspaces)
})

test('every table after those that it names', async () => {
  const { rows } = await pool().query<{ name: string; column: string; names: string }>(
    `SELECT c.conrelid::regclass::text AS name, a.attname AS column, c.confrelid::regclass::text AS names FROM pg_constraint c
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] WHERE c.contype = 'f'`,
  )
  const place = new Map(ARCHIVE_TABLES.map(({ name }, at) => [name, at]))
  const later = new Set(ARCHIVE_TABLES.map((table) => `${table.name}.${table.later}`))
  const early = rows.filter(({ name, column, names }) => {
    const [own, other] = [place.get(name), place.get(names)]
    return own !== undefined && other !== undefined && other >= own && !later.has(`${name}.${column}`)
  })
  expect(early).toEqual([])
  expect(rows.some(({ name, column }) => later.has(`${name}.${column}`))).toBe(true)
})

const load = (userId: string, lines: unknown[]) => importWorkspace(userId, archiveBytes(lines), MONDAY)

test('a conversation keeps the message that says what it wants, which comes in after it', async () => {
  const owner = await aUser()
  const { workspace_id: there } = owner
  const { thread_id } = await aThread(owner)
  const message = {
    thread_id,
    workspace_id: there,
    direction: 'in',
    kind: 'reply',
    from_address: 'ada@example.test',
  }
  const { inbox_message_id } = await db.inboxMessage.create({
    data: { ...message, subject: 'Hi', text: 'Yes, please', at: MONDAY },
  })
  await db.thread.update({
    where: { thread_id },
    data: { intent: 'interested', intent_message_id: inbox_message_id },
  })
  const before = await archive(owner)
  await eraseWorkspace(owner)
  const { user_id } = await aUser()
  const { workspace_id } = await load(user_id, before)
  expect(archivedRows(await archive({ workspace_id, user_id }))).toEqual(archivedRows(before))
})

test('what the workspace has decided comes along, but who answers: those are people', async () => {
  const owner = await aUser()
  const set = {
    rest_days: 30,
    after_reply: 'campaign',
    company_max_active: 2,
    one_campaign_at_a_time: false,
    colleague_reply_days: 14,
  }
  await pool().query(
    `UPDATE workspaces SET rest_days = 30, after_reply = 'campaign', company_max_active = 2, one_campaign_at_a_time = false,
       colleague_reply_days = 14,
       timezone = 'Europe/Berlin', reply_assignment = 'campaign_maker' WHERE workspace_id = $1`,
    [owner.workspace_id],
  )
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const { workspace_id } = await load((await aUser()).user_id, lines)
  const { rows } = await pool().query('SELECT * FROM workspaces WHERE workspace_id = $1', [workspace_id])
  expect(rows[0]).toMatchObject({ ...set, timezone: 'Europe/Berlin', reply_assignment: 'nobody' })
})

const lineOf = (lines: ArchiveLine[], row: unknown) => lines.findIndex((line) => line.row === row) + 1

test.each([
  ['names a campaign that is not there', { campaign_id: crypto.randomUUID() }, 'campaign_leads.campaign_id'],
  ['has a status that no lead has', { status: 'gone' }, 'a value that is not one'],
  ['has the place of another one', { lead_index: 0 }, 'twice in it'],
])('a refusal names the line and the table: a lead that %s', async (_, fields, said) => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const leads = lines.filter(({ table }) => table === 'campaign_leads')
  const spoilt = leads.findLast(({ row }) => row?.lead_index !== 0)?.row
  Object.assign(spoilt ?? {}, fields)
  const { user_id } = await aUser()
  const failed = expect(load(user_id, lines)).rejects
  await failed.toThrow(`line ${lineOf(lines, spoilt)} of the archive (campaign_leads)`)
  await expect(load(user_id, lines)).rejects.toThrow(said)
})

test.each([
  ['gzip', Buffer.from('1f8b0800000000000003', 'hex')],
  ['zip', Buffer.from('504b030414000000', 'hex')],
])('a file packed with %s is refused by its first bytes', async (_, bytes) => {
  const { user_id } = await aUser()
  let asked = 0
  async function* endless() {
    for (;;) {
      asked += 1
      yield new Uint8Array(bytes)
    }
  }
  await expect(importWorkspace(user_id, endless(), MONDAY)).rejects.toThrow('packed')
  expect(asked).toBe(1)
})
