import { expect, test } from 'vitest'
import { ReadInboxPresence, ReportInboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { db } from '#lib/db/client'
import { PRESENT_MS, type PresenceState, SAID_MS } from '#lib/domain/inbox/presence'
import {
  enterThread,
  listPresent,
  removeOldPresence,
  reportPresence,
} from '#lib/services/inbox/thread/presence'
import { call } from '#tests/support/call'
import { aThread, aUser } from '#tests/support/scenes/factories'
import { minutes } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'

type Somebody = { workspace_id: string; user_id: string }

async function team() {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  return { owner, ana, ben, params: await aThread(owner) }
}
const report = (as: Somebody, params: { thread_id: string }, state: PresenceState) =>
  call(ReportInboxPresence, { as, params, body: { state } })
const present = async (as: Somebody) =>
  (await call(ReadInboxPresence, { as })).body.people.map(({ name, is_typing }) => [name, is_typing])

test('who has a conversation open or answers it is shown to the others until they leave, and never to themselves', async () => {
  const { owner, ana, ben, params } = await team()
  expect((await report(ana, params, 'open')).body).toEqual({ people: [] })
  const { thread_id } = params
  const seen = { thread_id, user_id: ana.user_id, name: ana.name, is_typing: false }
  expect((await report(ben, params, 'open')).body).toEqual({ people: [seen] })
  await report(ana, params, 'typing')
  expect(await present(ben)).toEqual([[ana.name, true]])
  expect(await present(ana)).toEqual([[ben.name, false]])
  await report(ana, params, 'open')
  expect(await present(ben)).toEqual([[ana.name, false]])
  await report(ana, params, 'left')
  expect(await present(owner)).toEqual([[ben.name, false]])
})

test('a viewer sees it and reports nothing; a client does neither; another workspace knows nothing of it', async () => {
  const { owner, ana, params } = await team()
  await report(ana, params, 'typing')
  const [viewer, client] = [await aMember(owner, 'viewer'), await aMember(owner, 'client')]
  expect(await present(viewer)).toEqual([[ana.name, true]])
  const refusals = [
    await report(viewer, params, 'open'),
    await report(client, params, 'open'),
    await call(ReadInboxPresence, { as: client }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403])
  const stranger = await aUser()
  expect((await report(stranger, params, 'open')).status).toBe(404)
  expect(await present(stranger)).toEqual([])
  expect(await present(owner)).toHaveLength(1)
})

test('what is said again is written each twenty seconds, a change at once; a minute later nobody is shown, and the row goes', async () => {
  const { owner, ana, params } = await team()
  const say = (state: PresenceState, ms: number) =>
    reportPresence(ana, { ...params, state }, new Date(minutes(1).getTime() + ms))
  const at = (ms: number) => new Date(minutes(1).getTime() + ms)
  const written = async () =>
    (await db.threadPresence.findFirstOrThrow({ where: { user_id: ana.user_id } })).seen_at
  await say('open', 0)
  await say('open', SAID_MS)
  expect(await written()).toEqual(at(0))
  await say('open', SAID_MS + 1)
  expect(await written()).toEqual(at(SAID_MS + 1))
  await say('typing', SAID_MS + 2)
  const last = SAID_MS + 2
  expect(await written()).toEqual(at(last))
  expect(await listPresent(owner, at(last + PRESENT_MS - 1))).toHaveLength(1)
  expect(await listPresent(owner, at(last + PRESENT_MS))).toEqual([])
  await removeOldPresence(at(last + PRESENT_MS))
  expect(await db.threadPresence.count({ where: { user_id: ana.user_id } })).toBe(1)
  await removeOldPresence(at(last + PRESENT_MS + 1))
  expect(await db.threadPresence.count({ where: { user_id: ana.user_id } })).toBe(0)
})

test('whoever is removed from the workspace is gone from its conversations', async () => {
  const { owner, ana, params } = await team()
  const now = new Date()
  await enterThread(ana, { ...params, state: 'typing' }, now)
  await db.member.deleteMany({ where: { workspace_id: owner.workspace_id, user_id: ana.user_id } })
  expect(await listPresent(owner, now)).toEqual([])
})
