import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { readHome } from '#lib/services/campaigns/home'
import { addSample } from '#lib/services/sandbox/samples'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// No mail is sent to it: only the existence of a sandbox matters.
process.env.SANDBOX_SMTP_PORT = '2525'

const DAYS = 24 * 60

/** A conversation of the campaign that its lead started. */
async function aReply(owner: { workspace_id: string }, campaign_id: string) {
  const { workspace_id } = owner
  const at = minutes(5)
  const { thread_id } = await db.thread.create({
    data: {
      workspace_id,
      campaign_id,
      counterpart_address: 'ada@example.test',
      subject: 'Prices',
      last_message_at: at,
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'Tell me more.',
      message_count: 1,
    },
  })
  const message = {
    workspace_id,
    thread_id,
    from_address: 'ada@example.test',
    subject: 'Prices',
    text: '',
    at,
  }
  const add = (direction: string, kind: string) =>
    db.inboxMessage.create({ data: { ...message, direction, kind } })
  await add('in', 'reply')
  return { thread_id, answer: () => add('out', 'answer') }
}

test('after a launch, home leads to what was sent, to the reply, and on until it is answered', async () => {
  const { owner, campaign_id } = await launched()
  const next = async () => (await readHome(owner.workspace_id, minutes(10))).next_steps
  expect(await next()).toMatchObject({ campaign: { campaign_id, sent_count: 0 }, thread_id: null })

  await dispatchAt(MONDAY)
  expect(await next()).toMatchObject({ campaign: { sent_count: 3 }, thread_id: null })

  const reply = await aReply(owner, campaign_id)
  expect(await next()).toMatchObject({ thread_id: reply.thread_id })

  await reply.answer()
  expect(await next()).toBeNull()
})

test('whoever asked for no more mail is nobody to answer', async () => {
  const { owner, campaign_id } = await launched()
  await dispatchAt(MONDAY)
  const { workspace_id } = owner
  const reply = await aReply(owner, campaign_id)
  await db.suppression.create({ data: { workspace_id, value: 'ada@example.test', reason: 'unsubscribe' } })
  expect((await readHome(workspace_id, minutes(10))).next_steps).toMatchObject({ thread_id: null })
  await db.suppression.deleteMany({ where: { workspace_id } })
  expect((await readHome(workspace_id, minutes(10))).next_steps).toMatchObject({ thread_id: reply.thread_id })
})

test('a week after the first launch, home leads nowhere any more', async () => {
  const { owner } = await launched()
  expect((await readHome(owner.workspace_id, minutes(7 * DAYS))).next_steps).not.toBeNull()
  expect((await readHome(owner.workspace_id, minutes(7 * DAYS + 1))).next_steps).toBeNull()
})

test('sample results are nobody’s first launch', async () => {
  const owner = await aUser()
  await addSample(owner, 'history', MONDAY)
  expect((await readHome(owner.workspace_id, MONDAY)).next_steps).toBeNull()
})
