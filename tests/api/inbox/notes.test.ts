import { expect, test } from 'vitest'
import { ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { CreateInboxNote, DeleteInboxNote, ListInboxNotes } from '#lib/contracts/inbox/inbox-notes'
import { ListNotifications } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aThread, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type Somebody = { workspace_id: string; user_id: string }

async function team() {
  const owner = await aUser()
  const [ana, ben, viewer] = [
    await aMember(owner, 'member'),
    await aMember(owner, 'member'),
    await aMember(owner, 'viewer'),
  ]
  return { owner, ana, ben, viewer, params: await aThread(owner) }
}
const write = (as: Somebody, params: { thread_id: string }, text: string) =>
  call(CreateInboxNote, { as, params, body: { text } })
const told = async (as: Somebody) =>
  (await call(ListNotifications, { as })).body.items.filter(({ kind }) => kind === 'mentioned')

test('a note stands on the conversation for whoever works there, newest first, and whom it mentions is told', async () => {
  const { owner, ana, ben, viewer, params } = await team()
  const first = await write(ana, params, `Ask @${ben.name} and @${viewer.name}, not x@${owner.name}.`)
  expect([first.status, first.body]).toMatchObject([
    201,
    { user_id: ana.user_id, author_name: ana.name, thread_id: params.thread_id },
  ])
  await write(ben, params, 'Done.')
  const { body } = await call(ListInboxNotes, { as: viewer, params })
  expect(body.items.map(({ text, mentions }) => [text, mentions.length])).toEqual([
    ['Done.', 0],
    [expect.stringContaining('Ask'), 2],
  ])
  const text = `${ana.name} mentioned you in a note (ada@example.test).`
  expect([await told(ben), await told(viewer)]).toMatchObject([
    [{ text, thread_id: params.thread_id }],
    [{ text }],
  ])
  expect([await told(ana), await told(owner)]).toEqual([[], []])
  expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({
    note_count: 2,
    message_count: 0,
    version: 1,
  })
})

test('its author deletes it, or an admin; anybody else is refused, and it stays', async () => {
  const { owner, ana, ben, params } = await team()
  const { body: note } = await write(ana, params, 'Mine.')
  const { body: other } = await write(ana, params, 'Mine too.')
  const remove = (as: Somebody, note_id: string) =>
    call(DeleteInboxNote, { as, params: { ...params, note_id } })
  const refused = await remove(ben, note.note_id)
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
  expect((await remove(ana, note.note_id)).status).toBe(204)
  expect((await remove(ana, note.note_id)).status).toBe(404)
  expect((await remove(owner, other.note_id)).status).toBe(204)
  expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({ note_count: 0 })
})

test('viewers read notes and write none, clients see none, and a note has a length', async () => {
  const { owner, ana, viewer, params } = await team()
  const client = await aMember(owner, 'client')
  expect((await write(viewer, params, 'Hi')).status).toBe(403)
  expect((await call(ListInboxNotes, { as: client, params })).status).toBe(403)
  expect((await write(ana, params, `@${client.name}`)).body.mentions).toEqual([])
  expect(await told(client).catch(() => [])).toEqual([])
  expect((await write(ana, params, 'x'.repeat(5_001))).status).toBe(422)
  expect((await write(ana, { thread_id: crypto.randomUUID() }, 'Hi')).status).toBe(404)
})

test('what somebody wrote stays when they erase themselves, without their name', async () => {
  const { owner, ana, params } = await team()
  await write(ana, params, 'Remember.')
  await db.member.deleteMany({ where: { user_id: ana.user_id } })
  await db.workspace.deleteMany({ where: { workspace_id: ana.user_id } })
  await db.user.delete({ where: { user_id: ana.user_id } })
  const { body } = await call(ListInboxNotes, { as: owner, params })
  expect(body.items).toMatchObject([{ text: 'Remember.', user_id: null, author_name: null }])
})
