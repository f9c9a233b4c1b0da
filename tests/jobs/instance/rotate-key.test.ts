import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { rotateKey, SEALED_COLUMNS } from '#lib/db/rotate-key'
import { keyFor, seal, sealedPrefix, unseal, withEachKey } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { readUnsubscribeToken, unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { env } from '#lib/env'
import { createDomain } from '#lib/services/domains/domains'
import { issueToken } from '#lib/services/workspaces/tokens'
import { takeLock } from '#scripts/up/lock'
import { makeNewKey, readSecrets } from '#scripts/up/secrets'
import { ROOT, sources } from '#tests/support/code/source-files'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aFormOver } from '#tests/support/forms'
import { aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const FIRST = env().ENCRYPTION_KEY
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')

function setKeys(current: string, ...old: string[]) {
  env().ENCRYPTION_KEY = current
  env().ENCRYPTION_KEYS_OLD = old
}
afterEach(() => setKeys(FIRST))

const rotate = () => inTransaction(pool(), rotateKey)

test('what an old key sealed opens, and what is sealed now is under the new one', () => {
  const before = seal('hush')
  setKeys(keyOf(8))
  expect(() => unseal(before)).toThrow('a key that is not known here')
  setKeys(keyOf(8), keyOf(9), FIRST)
  expect(unseal(before)).toBe('hush')
  const after = seal('hush')
  expect(after.startsWith(sealedPrefix())).toBe(true)
  setKeys(keyOf(8))
  expect(unseal(after)).toBe('hush')
})

test('a text from before keys had names opens under whichever key made it', () => {
  const unnamed = `v1.${seal('hush').split('.')[2]}`
  expect(unseal(unnamed)).toBe('hush')
  setKeys(keyOf(8), FIRST)
  expect(unseal(unnamed)).toBe('hush')
  setKeys(keyOf(8))
  expect(() => unseal(unnamed)).toThrow()
})

test('links signed before a rotation lead where they did, as long as the old key is kept', () => {
  const ids = { workspace_id: crypto.randomUUID(), action_id: crypto.randomUUID() }
  const token = unsubscribeToken(ids, keyFor('unsubscribe')) ?? ''
  const read = () => withEachKey('unsubscribe', (key) => readUnsubscribeToken(token, key))
  setKeys(keyOf(8), FIRST)
  expect(read()).toEqual(ids)
  setKeys(keyOf(8))
  expect(read()).toBeNull()
})

test('every sealed column is sealed anew, and a run that was cut off goes on where it was', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const passwords = { smtp_password: seal('smtp'), imap_password: seal('imap') }
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: passwords })
  const { mailbox_id, workspace_id } = mailbox
  const tokens = { refresh_token: seal('refresh', mailbox_id), access_token: seal('access', mailbox_id) }
  const grant = { vendor: 'google', client_id: 'c', subject: 's', ...tokens }
  await db.mailboxGrant.create({ data: { mailbox_id, workspace_id, ...grant } })
  const organization_id = crypto.randomUUID()
  const secret = seal('private key', organization_id)
  await db.mailOrganization.create({
    data: { organization_id, workspace_id, vendor: 'google', name: 'Acme', client_id: 'c', secret },
  })
  const sheet_account_id = crypto.randomUUID()
  const sealed = {
    refresh_token: seal('refresh', sheet_account_id),
    access_token: seal('access', sheet_account_id),
  }
  await db.sheetAccount.create({
    data: { sheet_account_id, workspace_id, ...grant, address: 'ada@example.com', ...sealed },
  })
  await db.postmasterAccount.create({
    data: {
      workspace_id,
      ...grant,
      access_token: undefined,
      address: 'ada@example.com',
      refresh_token: seal('refresh', workspace_id),
      granted_at: new Date(),
      next_read_at: new Date(),
    },
  })
  const soon = { connected_at: new Date(), next_read_at: new Date() }
  await db.sndsAccount.create({ data: { workspace_id, key: seal('snds', workspace_id), ...soon } })
  const { domain_id } = await createDomain(owner.workspace_id, { domain: 'rotate.example.com' }, new Date())
  const secrets = { secret: seal('whsec_1'), previous_secret: seal('whsec_0'), secret_hint: 'x' }
  const hook = {
    workspace_id: owner.workspace_id,
    url: 'https://hooks.example.com/',
    event_types: ['lead.sent'],
  }
  const { webhook_id } = await db.webhook.create({ data: { ...hook, ...secrets } })
  await db.authenticatorApp.create({
    data: { user_id: owner.user_id, secret: seal('JBSWY3DPEHPK3PXP') },
  })
  await aFormOver(owner, (await aDataset(owner)).dataset_id, { signed: true })
  const token = await issueToken(owner.user_id, new Date())
  expect(token).toMatch(/^eyJ/)

  setKeys(keyOf(8), FIRST)
  await pool().query('UPDATE webhooks SET previous_secret = $1 WHERE webhook_id = $2', [
    seal('whsec_0'),
    webhook_id,
  ])
  const filled = async (like: string) => {
    let count = 0
    for (const { table, column } of SEALED_COLUMNS) {
      const { rows } = await pool().query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE starts_with(${column}, $1)`,
        [like],
      )
      expect(rows[0]?.n, `${table}.${column} has a row to look at`).toBeGreaterThan(0)
      count += rows[0]?.n ?? 0
    }
    return count
  }
  const all = await filled('v2.')
  // One was sealed with the new key already, as after an interrupted run.
  expect(await rotate()).toEqual({ resealed: all - 1, unopened: [] })
  expect(await filled(sealedPrefix())).toBe(all)
  expect(await rotate()).toEqual({ resealed: 0, unopened: [] })

  setKeys(keyOf(8))
  const row = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: mailbox.mailbox_id } })
  expect([row.smtp_password, row.imap_password].map((text) => unseal(text ?? ''))).toEqual(['smtp', 'imap'])
  const kept = await db.mailboxGrant.findUniqueOrThrow({ where: { mailbox_id } })
  expect(unseal(kept.refresh_token ?? '', mailbox_id)).toBe('refresh')
  expect(() => unseal(kept.refresh_token ?? '')).toThrow()
  const organization = await db.mailOrganization.findUniqueOrThrow({ where: { organization_id } })
  expect(unseal(organization.secret, organization_id)).toBe('private key')
  const [key] = await db.domainKey.findMany({ where: { domain_id } })
  expect(Buffer.from(unseal(key?.private_key ?? ''), 'base64').length).toBeGreaterThan(500)
  await issueToken(owner.user_id, new Date())
  await rotateBack()
})

/** The other tests expect their rows under the first key. */
async function rotateBack() {
  setKeys(FIRST, keyOf(8))
  await rotate()
}

test('what no key opens is told and left alone', async () => {
  const { mailbox_id } = await aMailbox(await aUser())
  setKeys(keyOf(3))
  await db.mailbox.update({ where: { mailbox_id }, data: { smtp_password: seal('lost') } })
  setKeys(FIRST)
  const { unopened } = await rotate()
  expect(unopened).toEqual([{ table: 'mailboxes', column: 'smtp_password', id: mailbox_id }])
  await db.mailbox.update({ where: { mailbox_id }, data: { smtp_password: null } })
})

test('more than a batch is worked through, also where the first ones do not open', async () => {
  const { workspace_id } = await aUser()
  const mailboxes = Array.from({ length: 450 }, (_, n) => ({
    workspace_id,
    address: `many-${n}@example.org`,
    smtp: {},
    smtp_password: n < 210 ? 'v2.00000000.AAAA' : seal(`password ${n}`),
  }))
  await db.mailbox.createMany({ data: mailboxes })
  setKeys(keyOf(8), FIRST)
  const { unopened } = await rotate()
  expect(unopened).toHaveLength(210)
  const { rows } = await pool().query(
    'SELECT 1 FROM mailboxes WHERE workspace_id = $1 AND starts_with(smtp_password, $2)',
    [workspace_id, sealedPrefix()],
  )
  expect(rows).toHaveLength(240)
  await db.mailbox.deleteMany({ where: { workspace_id } })
  await rotateBack()
})

test('whoever locks several mailboxes while keys are rotated comes to their end, and so does the rotation', async () => {
  const { workspace_id } = await aUser()
  const ids = ['1', '2', '3'].map((last) => `0c000000-0000-7000-8000-00000000000${last}`)
  await db.mailbox.createMany({
    data: ids.map((mailbox_id) => ({
      mailbox_id,
      workspace_id,
      address: `${mailbox_id}@example.org`,
      smtp: {},
      smtp_password: seal('password'),
    })),
  })
  setKeys(keyOf(8), FIRST)
  const [other, rotating] = [await pool().connect(), await pool().connect()]
  const lock = (id: string | undefined) =>
    other.query('SELECT 1 FROM mailboxes WHERE mailbox_id = $1 FOR NO KEY UPDATE', [id])
  try {
    await other.query('BEGIN')
    await lock(ids[1])
    const rotated = rotateKey(rotating)
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await pool().query(waiting)).rows.length, { timeout: 20_000 }).toBe(1)
    await lock(ids[0])
    await lock(ids[2])
    await other.query('COMMIT')
    expect(await rotated).toMatchObject({ unopened: [] })
  } finally {
    other.release(true)
    rotating.release(true)
  }
  const { rows } = await pool().query(
    'SELECT 1 FROM mailboxes WHERE workspace_id = $1 AND starts_with(smtp_password, $2)',
    [workspace_id, sealedPrefix()],
  )
  expect(rows).toHaveLength(3)
  await db.mailbox.deleteMany({ where: { workspace_id } })
  await rotateBack()
})

test('a new key in the data folder keeps the old ones beside it', () => {
  const folder = throwawayFolder()
  const first = readSecrets(folder, {})
  expect(first.ENCRYPTION_KEYS_OLD).toBe('')
  makeNewKey(folder)
  const second = readSecrets(folder, {})
  expect(second).toEqual({
    ...first,
    ENCRYPTION_KEY: expect.not.stringMatching(first.ENCRYPTION_KEY.replace(/[+/]/g, '\\$&')),
    ENCRYPTION_KEYS_OLD: first.ENCRYPTION_KEY,
  })
  makeNewKey(folder)
  expect(readSecrets(folder, {}).ENCRYPTION_KEYS_OLD).toBe(`${second.ENCRYPTION_KEY},${first.ENCRYPTION_KEY}`)
  removeThrowaway(folder)
})

test('while an instance starts, or a key is made elsewhere, no new one is made', async () => {
  const folder = throwawayFolder()
  const before = readSecrets(folder, {})
  const lock = takeLock(path.join(folder, 'up.lock'))
  const env = { ...process.env, DATA_DIR: folder, ENCRYPTION_KEY: '' }
  const args = [path.join(ROOT, 'scripts/rotate-key.ts'), '--new']
  const refused = promisify(execFile)(process.execPath, args, { env })
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('or is starting') })
  expect(readSecrets(folder, {})).toEqual(before)
  if ('release' in lock) lock.release()
  removeThrowaway(folder)
})

/** The files that seal, and the columns they write; null where nothing is stored. */
const SEALERS: Record<string, string[] | null> = {
  'lib/services/workspaces/confirmations.ts': null,
  'lib/db/backup.ts': null,
  'lib/db/rotate-key.ts': null,
  'lib/services/workspaces/tokens.ts': ['signing_keys.private_jwk'],
  'lib/services/instance/dkim-key.ts': ['domain_keys.private_key'],
  'lib/services/leads/forms/forms.ts': ['forms.signing_secret'],
  'lib/services/senders/mailboxes.ts': ['mailboxes.smtp_password', 'mailboxes.imap_password'],
  'lib/services/senders/grants/sealed-token.ts': [
    'mailbox_grants.refresh_token',
    'mailbox_grants.access_token',
  ],
  'lib/services/senders/grants/organizations/organizations.ts': ['mail_organizations.secret'],
  'lib/services/leads/rows/sheets/sealed-token.ts': [
    'sheet_accounts.refresh_token',
    'sheet_accounts.access_token',
  ],
  'lib/services/domains/postmaster/accounts.ts': ['postmaster_accounts.refresh_token'],
  'lib/services/domains/snds/accounts.ts': ['snds_accounts.key'],
  'lib/services/telling/webhooks.ts': ['webhooks.secret', 'webhooks.previous_secret'],
  'lib/services/workspaces/sign-in/second-factor-settings.ts': ['authenticator_apps.secret'],
}

test('whoever seals something for a column is known, and so is the column', () => {
  const sealers = sources()
    .filter(
      ({ file, code }) =>
        /^(app|inngest|lib)\//.test(file) && /(?<![\w.])seal\(/.test(code) && file !== 'lib/db/seal.ts',
    )
    .map(({ file }) => file)
  expect(sealers.toSorted()).toEqual(Object.keys(SEALERS).toSorted())
  const columns = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(
    Object.values(SEALERS)
      .flatMap((found) => found ?? [])
      .toSorted(),
  ).toEqual(columns.toSorted())
})

/**
 * Columns that sound like secrets and need no seal: hashes, public keys, hints, names, indexes in a list, and what their owner publishes in
 * DNS or on a page.
 */
const OPEN = [
  'users.password_hash',
  'api_keys.key_prefix',
  'api_keys.key_digest',
  'audit_events.key_prefix',
  'domain_keys.public_key',
  'signing_keys.public_jwk',
  'webhooks.secret_hint',
  'forms.secret_hint',
  'forms.token',
  'mailbox_folders.sync_token',
  'inbound_messages.message_key',
  'passkeys.credential_id',
  'passkeys.public_key',
  'sign_in_domains.token',
]

test('no column that sounds like a secret is kept open', () => {
  const schema = fs.readFileSync(path.join(ROOT, 'prisma/schema.prisma'), 'utf8')
  const found = [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)\n\}/gm)].flatMap(([, body = '']) => {
    const table = body.match(/@@map\("(\w+)"\)/)?.[1]
    return [
      ...body.matchAll(
        /^ {2}(\w*(?:password|secret|token|private|credential|_key|_jwk|api_key)\w*) +(?:String|Json|Bytes)/gm,
      ),
    ].map(([, column]) => `${table}.${column}`)
  })
  expect(found.length).toBeGreaterThan(10)
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(found.filter((column) => !OPEN.includes(column) && !sealed.includes(column as never))).toEqual([])
})
