import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { resumeCampaign } from '#lib/services/launch/lifecycle'
import { updateMailbox } from '#lib/services/senders/mailboxes'
import { importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import {
  type ArchiveLine,
  aBusyWorkspace,
  archive,
  archiveBytes,
  archivedRows,
  eraseWorkspace,
} from '#tests/support/files/archives'
import { aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// The mailboxes are on this machine.
process.env.ALLOW_PRIVATE_HOSTS = '1'

type Person = { workspace_id: string; user_id: string }
const load = (user: Person, lines: unknown[]) => importWorkspace(user.user_id, archiveBytes(lines), MONDAY)

test('export, import and export again are the same rows, with their ids', async () => {
  const { owner } = await aBusyWorkspace()
  const before = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  const { workspace_id, rows } = await load(next, before)
  expect(workspace_id).toBe(owner.workspace_id)
  const after = await archive({ workspace_id, user_id: next.user_id })
  expect(archivedRows(after)).toEqual(archivedRows(before))
  expect(rows).toBe(archivedRows(before).length)
  expect(rows).toBeGreaterThan(20)
  expect(
    await db.member.findMany({ where: { workspace_id }, select: { user_id: true, role: true } }),
  ).toEqual([{ user_id: next.user_id, role: 'owner' }])
})

test('a campaign in the middle of its way goes on: nothing twice, nothing lost', async () => {
  const mail = memoryMail()
  const { owner, campaign_id, mailbox } = await launched({ daily_limit: 2 }, 5)
  await dispatchAt(minutes(1), mail)
  expect(mail.outbox).toHaveLength(2)
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const next = await aUser()
  await load(next, lines)
  const campaign = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(campaign).toMatchObject({ status: 'paused', paused_from: 'active', paused_reason: 'restored' })
  expect(campaign).toMatchObject({ total_leads: 5, sent_count: 2, processed_leads: 0 })
  await dispatchAt(minutes(2_000), mail)
  expect(mail.outbox).toHaveLength(2)

  const smtp = { host: '127.0.0.1', port: 1, security: 'none' as const, username: null, password: null }
  const edit = { smtp } as Parameters<typeof updateMailbox>[2]
  await updateMailbox(owner.workspace_id, mailbox.mailbox_id, edit, minutes(2_000))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(2_000))
  for (let day = 2; day < 12; day += 1) await dispatchAt(minutes(day * 1_440), mail)
  const sent = mail.outbox.map(({ to, subject }) => `${to.address} ${subject}`)
  expect(sent).toHaveLength(10)
  expect(new Set(sent).size).toBe(10)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
    status: 'completed',
  })
})

test('what was under way at the export has an unknown outcome, and is not offered again', async () => {
  const { owner, campaign_id } = await launched({}, 1)
  await dispatchAt(minutes(1))
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  for (const { table, row } of lines) if (table === 'actions' && row) row.status = 'sending'
  const next = await aUser()
  await load(next, lines)
  const { outbox } = await dispatchAt(minutes(60))
  expect(outbox).toEqual([])
  const actions = await db.action.findMany({ where: { campaign_id }, select: { status: true } })
  expect(actions).toEqual([{ status: 'uncertain' }])
})

test('rows that an upload refused come in under numbers of this instance, which may have the same ones', async () => {
  const { owner } = await aBusyWorkspace()
  const { workspace_id } = owner
  const { dataset_id } = await db.dataset.findFirstOrThrow({
    where: { workspace_id },
    orderBy: { dataset_id: 'asc' },
  })
  const reject = { code: 'invalid_email', reason: 'This is no email address.', cell: 'B2', value: 'ana@' }
  await db.datasetReject.create({ data: { ...reject, dataset_id, workspace_id, row_number: 2 } })
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const other = await aBusyWorkspace()
  const there = await db.dataset.findFirstOrThrow({
    where: { workspace_id: other.owner.workspace_id },
    orderBy: { dataset_id: 'asc' },
  })
  const { reject_id } = rowOf(lines, 'dataset_rejects')
  const taken = { reject_id: BigInt(String(reject_id)), row_number: 9, ...reject }
  await db.datasetReject.create({
    data: { ...taken, dataset_id: there.dataset_id, workspace_id: other.owner.workspace_id },
  })
  await load(await aUser(), lines)
  expect(await db.datasetReject.findMany({ where: { workspace_id } })).toMatchObject([
    { ...reject, dataset_id, row_number: 2 },
  ])
})

test('secrets are not in it: mailboxes come in failing, and wait for their password', async () => {
  const owner = await aUser()
  const { mailbox_id } = await aMailbox(owner)
  await db.mailbox.update({ where: { mailbox_id }, data: { smtp_password: 'sealed' } })
  const lines = await archive(owner)
  expect(JSON.stringify(lines)).not.toContain('sealed')
  await eraseWorkspace(owner)
  await load(await aUser(), lines)
  expect(await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).toMatchObject({
    status: 'failing',
    failing_cause: 'sign_in',
    smtp_password: null,
  })
})

test('a plan is not the archive’s to say', async () => {
  const owner = await aUser()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  for (const { table, row } of lines)
    if (table === 'workspaces' && row) Object.assign(row, { tier: 'scale', billing_customer_id: 'cus_1' })
  const { workspace_id } = await load(await aUser(), lines)
  const workspace = await db.workspace.findUniqueOrThrow({ where: { workspace_id } })
  expect(workspace).toMatchObject({ tier: 'free', billing_customer_id: null })
})

const rowOf = (lines: ArchiveLine[], table: string) => {
  const row = lines.find((line) => line.table === table)?.row
  if (!row) throw new Error(`The archive has no row of ${table}`)
  return row
}

const withRow =
  (table: string, fields: Record<string, unknown>, called = table) =>
  (lines: ArchiveLine[]) => {
    const row = Object.assign(rowOf(lines, table), fields)
    for (const line of lines) if (line.row === row) line.table = called
    return lines
  }

test.each<[string, (lines: ArchiveLine[]) => unknown[] | Promise<unknown[]>, string]>([
  ['of a later version', ([head, ...rest]) => [{ ...head, version: 2 }, ...rest], 'version 2'],
  ['that is something else', () => [{ hello: 1 }], 'no export'],
  ['that was cut off', (lines) => lines.slice(0, -1), 'end is missing'],
  ['with a row too few', (lines) => lines.filter((line) => line.table !== 'templates'), 'should have'],
  ['with more after its end', (lines) => [...lines, { table: 'templates', row: {} }], 'after the end'],
  ['with an unknown column', withRow('templates', { x: 1 }), 'templates.x'],
  ['with a secret', withRow('mailboxes', { smtp_password: 'x' }), 'mailboxes.smtp_password'],
  [
    'with an unknown table',
    withRow('templates', {}, 'pg_class'),
    'a table that this release does not have, "pg_class"',
  ],
  [
    'with a table by the name of a method',
    withRow('templates', {}, 'constructor'),
    'does not have, "constructor"',
  ],
  [
    'with a row of another workspace',
    withRow('campaigns', { workspace_id: crypto.randomUUID() }),
    '(campaigns) is of another workspace',
  ],
  ['with a row without its id', withRow('templates', { template_id: 'x' }), '(templates) has no template_id'],
  ['with a policy that nobody may set', withRow('workspaces', { rest_days: -1 }), 'workspaces: rest_days'],
  [
    'with values nested to no end',
    withRow('dataset_rows', { data: JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) }),
    'nests deeper than 100 levels',
  ],
  [
    'with a lead of no campaign',
    withRow('campaign_leads', { campaign_id: crypto.randomUUID() }),
    'lacks what it needs',
  ],
  [
    'with a lead of another workspace’s campaign',
    async (lines) => withRow('campaign_leads', { campaign_id: (await launched({}, 1)).campaign_id })(lines),
    'lacks what it needs',
  ],
  [
    'with an id of another workspace',
    async (lines) => {
      const { template_id } = await aTemplate(await aUser())
      return withRow('templates', { template_id })(lines)
    },
    'there already',
  ],
  [
    'with an id twice',
    (lines) => {
      const end = { end: true, rows: Number(lines.at(-1)?.rows) + 1 }
      return [...lines.slice(0, -1), { table: 'templates', row: rowOf(lines, 'templates') }, end]
    },
    'twice',
  ],
  [
    'with steps that no campaign has',
    withRow('campaigns', { steps_config: [{ delay_days: 'x' }] }),
    'no row of campaigns',
  ],
  [
    'with a lead by a clock that nobody has',
    withRow('campaign_leads', { timezone: 'Mars/Olympus_Mons' }),
    'no row of campaign_leads: timezone',
  ],
  [
    'with a limit that nobody may set',
    withRow('campaigns', { daily_limit: 1_000_000 }),
    'not one that its column takes',
  ],
])('an archive %s is refused, and leaves nothing', async (_, spoil, said) => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const spoilt = await spoil(lines)
  await expect(load(await aUser(), spoilt)).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining(said),
  })
  const { workspace_id } = owner
  expect(await db.workspace.count({ where: { workspace_id } })).toBe(0)
  expect(await db.campaignLead.count({ where: { workspace_id } })).toBe(0)
})

test('a workspace that is here already is left as it is', async () => {
  const { owner } = await aBusyWorkspace()
  const lines = await archive(owner)
  await expect(load(await aUser(), lines)).rejects.toThrow('there already')
  expect(archivedRows(await archive(owner))).toEqual(archivedRows(lines))
})

test('a line without an end is not read on for ever', async () => {
  const { user_id } = await aUser()
  const chunk = new Uint8Array(8 * 1024 * 1024).fill(120)
  let asked = 0
  async function* endless() {
    for (;;) {
      asked += 1
      yield chunk
    }
  }
  await expect(importWorkspace(user_id, endless(), MONDAY)).rejects.toThrow('longer than 64 MB')
  expect(asked).toBe(9)
})
