import { afterEach, describe, expect, test } from 'vitest'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import {
  CreateInboxDraft,
  DeleteInboxDraft,
  ReadInboxDrafts,
  UpdateInboxDraft,
} from '#lib/contracts/inbox/inbox-drafts'
import { ListNotifications } from '#lib/contracts/telling/notifications'
import { db, pool } from '#lib/db/client'
import { answersRound } from '#lib/services/inbox/planned/round'
import { readDueWork } from '#lib/services/instance/due-work'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { answered } from '#tests/support/scenes/inbox'
import { aMember } from '#tests/support/scenes/team'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.thread.deleteMany()
  await db.campaign.deleteMany()
})

const soon = () => new Date(Date.now() + 10_000)
const past = (send_at: Date) => new Date(send_at.getTime() + 1)

/** A reply that is to be sent in ten seconds. */
async function planned(text = 'Gladly.') {
  const made = await answered()
  const { owner, params } = made
  const { last_message_id } = (await call(ReadInboxThread, { as: owner, params })).body
  const send_at = soon()
  const body = { text, last_message_id, send_at: send_at.toISOString() }
  const { status, body: said } = await call(ReplyInInbox, { as: owner, params, body })
  expect([status, said.delivery_status]).toEqual([201, 'scheduled'])
  const draft_id = said.inbox_message_id ?? ''
  const drafts = async () => (await call(ReadInboxDrafts, { as: owner, params })).body.drafts
  const answers = async () =>
    (await call(ReadInboxMessages, { as: owner, params })).body.messages.filter(
      ({ kind }) => kind === 'answer',
    )
  const { outbox, provider } = memoryMail()
  const send = (at = past(send_at), by = provider) => answersRound(at, by)
  return { ...made, last_message_id, send_at, draft_id, drafts, answers, outbox, provider, send }
}

const due = async () => (await readDueWork(pool())).find(({ bell }) => bell === 'answers')?.due ?? null

describe('an answer with a time', () => {
  test('is not sent before, rings the bell then, and is sent once under the id that it was given', async () => {
    const { send_at, draft_id, drafts, answers, outbox, send } = await planned()
    expect((await due())?.getTime()).toBe(send_at.getTime())
    expect(await drafts()).toMatchObject([{ draft_id, text: 'Gladly.', send_at: send_at.toISOString() }])
    expect(await send(new Date(send_at.getTime() - 1))).toMatchObject({ sent: 0 })
    expect([outbox.length, await answers()]).toEqual([0, []])
    expect(await send()).toMatchObject({ sent: 1 })
    expect(await send()).toMatchObject({ sent: 0 })
    expect(outbox).toHaveLength(1)
    expect(await drafts()).toEqual([])
    expect(await answers()).toMatchObject([
      { inbox_message_id: draft_id, text: 'Gladly.', delivery_status: 'sent' },
    ])
    expect(await due()).toBeNull()
  })

  test('is sent once, whichever of four rounds comes first', async () => {
    const { outbox, send } = await planned()
    const rounds = await Promise.all([send(), send(), send(), send()])
    expect(rounds.reduce((sum, { sent }) => sum + sent, 0)).toBe(1)
    expect(outbox).toHaveLength(1)
  })

  test('whose process dies as it is offered may have been sent, and is not sent again', async () => {
    const { answers, drafts, send, send_at } = await planned()
    const dies = memoryMail(() => {
      throw new Error('killed')
    })
    await expect(send(past(send_at), dies.provider)).rejects.toThrow()
    expect(dies.outbox).toHaveLength(1)
    const next = memoryMail()
    expect(await send(past(send_at), next.provider)).toMatchObject({ sent: 0, stopped: 0 })
    expect([next.outbox.length, await drafts()]).toEqual([0, []])
    await db.inboxMessage.updateMany({
      where: { kind: 'answer' },
      data: { at: new Date(Date.now() - 3_600_000) },
    })
    expect(await answers()).toMatchObject([{ delivery_status: 'uncertain' }])
  })

  test('taken back is not sent and stays as a draft; once it was sent, 404', async () => {
    const { owner, params, draft_id, drafts, outbox, send, last_message_id, send_at } = await planned()
    const one = { ...params, draft_id }
    const back = await call(UpdateInboxDraft, { as: owner, params: one, body: { send_at: null } })
    expect(back.body).toMatchObject({ send_at: null, text: 'Gladly.', stopped: null })
    expect([(await send()).sent, outbox.length, await due()]).toEqual([0, 0, null])
    expect(await drafts()).toHaveLength(1)
    const again = { text: 'Gladly!', draft_id, last_message_id, send_at: send_at.toISOString() }
    const said = await call(ReplyInInbox, { as: owner, params, body: again })
    expect(said.body.inbox_message_id).toBe(draft_id)
    expect((await send()).sent).toBe(1)
    expect(outbox[0]?.text).toContain('Gladly!')
    const late = await call(UpdateInboxDraft, { as: owner, params: one, body: { send_at: null } })
    expect([late.status, late.error.detail]).toEqual([404, 'draft_not_found'])
    const twice = await call(ReplyInInbox, { as: owner, params, body: { text: 'Gladly!', draft_id } })
    expect([twice.status, twice.error.detail]).toEqual([404, 'draft_not_found'])
    expect(outbox).toHaveLength(1)
  })

  test('can be changed and moved; of two changes of one version one is refused', async () => {
    const { owner, params, draft_id, outbox, send, send_at } = await planned()
    const one = { ...params, draft_id }
    const later = new Date(send_at.getTime() + 3_600_000)
    const body = { text: 'Gladly, on Monday.', send_at: later.toISOString(), version: 1 }
    expect((await call(UpdateInboxDraft, { as: owner, params: one, body })).status).toBe(200)
    const stale = await call(UpdateInboxDraft, { as: owner, params: one, body })
    expect([stale.status, stale.error.detail]).toEqual([409, 'changed_meanwhile'])
    expect((await send()).sent).toBe(0)
    expect((await send(past(later))).sent).toBe(1)
    expect(outbox[0]?.text).toContain('on Monday')
    const far = { send_at: new Date(Date.now() + 400 * 86_400_000).toISOString() }
    expect((await call(ReplyInInbox, { as: owner, params, body: { text: 'x', ...far } })).status).toBe(422)
  })
})

describe('when its time comes it stays a draft that says why, and its author is told', () => {
  const told = async (owner: { user_id: string; workspace_id: string }) =>
    (await call(ListNotifications, { as: owner })).body.items
      .filter(({ kind }) => kind === 'answer_stopped')
      .map(({ text }) => text)

  test('if somebody wrote meanwhile', async () => {
    const { owner, mailbox, mail, drafts, outbox, send } = await planned()
    await arrive(mailbox, replyTo(mail, 'Forget it.'), new Date(Date.now() + 1_000))
    expect(await send()).toMatchObject({ sent: 0, stopped: 1 })
    expect(outbox).toEqual([])
    expect(await drafts()).toMatchObject([
      { send_at: null, stopped: expect.stringMatching(/ wrote .*Nothing was sent\./) },
    ])
    expect(await told(owner)).toEqual([expect.stringContaining('was not sent')])
    expect(await due()).toBeNull()
  })

  test('if its mailbox is gone', async () => {
    const { mailbox, drafts, outbox, send } = await planned()
    await db.mailbox.delete({ where: { mailbox_id: mailbox.mailbox_id } })
    expect(await send()).toMatchObject({ stopped: 1 })
    expect([outbox.length, (await drafts())[0]?.stopped]).toEqual([
      0,
      'The mailbox of this conversation is not connected.',
    ])
  })

  test('if whoever wrote it left', async () => {
    const made = await answered()
    const ana = await aMember(made.owner, 'admin')
    const send_at = soon()
    const body = { text: 'Gladly.', send_at: send_at.toISOString() }
    expect((await call(ReplyInInbox, { as: ana, params: made.params, body })).status).toBe(201)
    await db.member.deleteMany({ where: { user_id: ana.user_id, workspace_id: made.owner.workspace_id } })
    const { outbox, provider } = memoryMail()
    expect(await answersRound(past(send_at), provider)).toMatchObject({ stopped: 1 })
    expect(outbox).toEqual([])
  })

  test('if the server refuses it: the refused message and the words are both there', async () => {
    const { answers, drafts, send, send_at } = await planned()
    const refuses = memoryMail(() => ({ outcome: 'never_left', reason: 'connect', error: 'Nobody there.' }))
    expect(await send(past(send_at), refuses.provider)).toMatchObject({ stopped: 1 })
    expect(await answers()).toMatchObject([{ delivery_status: 'failed' }])
    expect(await drafts()).toMatchObject([{ text: 'Gladly.', stopped: 'It was not sent: Nobody there.' }])
  })
})

test('of two tabs the second is told of the answer that waits, and sends only if it insists', async () => {
  const { owner, params, last_message_id, outbox, send } = await planned()
  const body = { text: 'Gladly.', last_message_id, send_at: soon().toISOString() }
  const { status, error } = await call(ReplyInInbox, { as: owner, params, body })
  expect([status, error.detail]).toEqual([409, 'answered_meanwhile'])
  expect(error).toMatchObject({ message: expect.stringContaining('scheduled to send in less than a minute') })
  expect((await send()).sent).toBe(1)
  expect(outbox).toHaveLength(1)
})

test('a draft is seen by the others with its author, has a limit, and is sent once or discarded', async () => {
  const { owner, params } = await answered()
  const ana = await aMember(owner, 'admin')
  const made = await call(CreateInboxDraft, { as: ana, params, body: { text: 'Perhaps.' } })
  expect(made).toMatchObject({ status: 201, body: { author_name: ana.name, send_at: null } })
  const { draft_id } = made.body
  const seen = await call(ReadInboxDrafts, { as: owner, params })
  expect(seen.body.drafts).toMatchObject([{ draft_id, text: 'Perhaps.', user_id: ana.user_id }])
  const one = { ...params, draft_id }
  expect((await call(DeleteInboxDraft, { as: owner, params: one })).status).toBe(204)
  const gone = await call(DeleteInboxDraft, { as: owner, params: one })
  expect([gone.status, gone.error.detail]).toEqual([404, 'draft_not_found'])
  const row = { ...params, workspace_id: owner.workspace_id, user_id: ana.user_id, text: 'x' }
  await db.inboxDraft.createMany({ data: Array.from({ length: 50 }, () => row) })
  const full = await call(CreateInboxDraft, { as: ana, params, body: { text: 'One more.' } })
  expect([full.status, full.error.detail]).toEqual([409, 'too_many_drafts'])
})
