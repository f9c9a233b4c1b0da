import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { PreviewPersonalization } from '#lib/contracts/personalize/personalize'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { ExportAccount } from '#lib/contracts/workspaces/account'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import { AI_SEATS, EXPORT_SEATS, seatOrRefusal } from '#lib/services/instance/seats'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { call } from '#tests/support/call'
import { aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'

// Set before any module reads the environment.
process.env.RATE_LIMIT_READ = '4'
process.env.RATE_LIMIT_AI = '2'

// Buckets refill with time, which stands still here however long the machine takes.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

/** One person who owns two workspaces: limits used in one are not used in the other. */
async function aPersonOfTwo(name = 'Second') {
  const user = await aUser()
  const { workspace_id } = await createWorkspace(user.user_id, name)
  const [first, second] = [user, { ...user, workspace_id }]
  return {
    first,
    second,
    inFirst: { as: user, headers: { 'x-workspace-id': first.workspace_id } },
    inSecond: { as: user, headers: { 'x-workspace-id': workspace_id } },
  }
}

test('requests', async () => {
  const { inFirst, inSecond } = await aPersonOfTwo()
  const ask = async (where: typeof inFirst) => (await call(ListTemplates, where)).status
  const used = []
  for (let count = 0; count < 5; count += 1) used.push(await ask(inFirst))
  expect(used).toEqual([200, 200, 200, 200, 429])
  expect(await ask(inSecond)).toBe(200)
})

test('questions to the model, in a minute and at the same time', async () => {
  const { first, second, inFirst, inSecond } = await aPersonOfTwo()
  const ask = async (where: typeof inFirst, owner: typeof first) => {
    const { dataset_id } = await aDataset(owner, 1)
    return (await call(PreviewPersonalization, { ...where, body: { dataset_id, prompt: 'Be brief' } })).status
  }
  const used = []
  for (let count = 0; count < 3; count += 1) used.push(await ask(inFirst, first))
  expect(used).toEqual([200, 200, 429])
  expect(await ask(inSecond, second)).toBe(200)

  const taken = await Promise.all(
    Array.from({ length: AI_SEATS.of_holder }, () => seatOrRefusal(AI_SEATS, first.workspace_id)),
  )
  await expect(seatOrRefusal(AI_SEATS, first.workspace_id)).rejects.toThrow(
    'running. Wait until one has finished',
  )
  expect(await ask(inSecond, second)).toBe(200)
  await Promise.all(taken.map((giveBack) => giveBack()))
})

test('API keys of a plan', async () => {
  const { inFirst, inSecond } = await aPersonOfTwo()
  const make = async (where: typeof inFirst) =>
    (await call(CreateApiKey, { ...where, body: { name: 'K' } })).status
  const used = []
  for (let count = 0; count < 20 && used.at(-1) !== 403; count += 1) {
    await db.$executeRaw`DELETE FROM rate_limits`
    used.push(await make(inFirst))
  }
  expect([used[0], used.at(-1)]).toEqual([201, 403])
  expect(await make(inSecond)).toBe(201)
})

test('the day of a mailbox, also of the same address', async () => {
  const { owner, mailbox } = await launched({}, 2)
  const { address } = mailbox
  const { workspace_id } = await createWorkspace(owner.user_id, 'Second')
  const same = await aMailbox({ ...owner, workspace_id })
  await db.mailbox.update({ where: { mailbox_id: same.mailbox_id }, data: { address } })
  expect((await dispatchAt(MONDAY)).outbox.length).toBeGreaterThan(0)
  const used = async (where: string) =>
    db.senderDay.count({
      where: { sender_id: where === workspace_id ? same.mailbox_id : mailbox.mailbox_id },
    })
  expect([await used(owner.workspace_id), await used(workspace_id)]).toEqual([1, 0])
  const listed = await call(ListMailboxes, { as: owner, headers: { 'x-workspace-id': workspace_id } })
  expect(listed.body.items).toMatchObject([{ address, limits: { used_today: 0 } }])
})

test('exports: each has its own rows, and waits for none of the other', async () => {
  const { first, second, inFirst, inSecond } = await aPersonOfTwo()
  const [mine, other] = [await aTemplate(first), await aTemplate(second)]
  await aDataset(first, 3)
  await aMailbox(second)
  const exported = async (where: typeof inFirst) => String((await call(ExportAccount, where)).body)
  const [one, two] = [await exported(inFirst), await exported(inSecond)]
  expect([one.includes(mine.template_id), one.includes(other.template_id)]).toEqual([true, false])
  expect([two.includes(mine.template_id), two.includes(other.template_id)]).toEqual([false, true])
  expect(JSON.parse(one.split('\n')[0] ?? '')).toMatchObject({ workspace_id: first.workspace_id })
  for (const table of ['datasets', 'dataset_rows']) expect(two).not.toContain(`"table":"${table}"`)
  expect(one).not.toContain('"table":"mailboxes"')

  const taken = await Promise.all(
    Array.from({ length: EXPORT_SEATS.of_holder }, () => seatOrRefusal(EXPORT_SEATS, first.workspace_id)),
  )
  expect((await call(ExportAccount, inFirst)).status).toBe(429)
  expect((await call(ExportAccount, inSecond)).status).toBe(200)
  await Promise.all(taken.map((giveBack) => giveBack()))
})
