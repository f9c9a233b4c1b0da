import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { actorOfToken, issueToken, publicKeys } from '#lib/services/workspaces/tokens'
import { replyTo } from '#tests/support/scenes/arrivals'
import { aUser } from '#tests/support/scenes/factories'
import { begunOverImap, closeImapServers, pollImap } from '#tests/support/servers/imap-mailbox'

const RIGHT = env().ENCRYPTION_KEY
const setKey = (key: string) => {
  env().ENCRYPTION_KEY = key
}
const loseKey = () => setKey(Buffer.alloc(32, 8).toString('base64'))
afterEach(() => setKey(RIGHT))
afterEach(closeImapServers)

test('with another ENCRYPTION_KEY people still get in, with old tokens and new ones, and again when it is put right', async () => {
  const { user_id } = await aUser()
  const now = new Date()
  const isOf = async (token: string) => (await actorOfToken(token, now))?.user_id === user_id
  const before = await issueToken(user_id, now)
  const { keys } = await publicKeys()
  loseKey()
  expect(await isOf(before)).toBe(true)
  const meanwhile = await issueToken(user_id, now)
  await issueToken(user_id, now)
  expect(await isOf(meanwhile)).toBe(true)
  setKey(RIGHT)
  const after = await issueToken(user_id, now)
  for (const token of [before, meanwhile, after]) expect(await isOf(token)).toBe(true)
  // Exactly one more key, however often keys were requested.
  expect((await publicKeys()).keys).toHaveLength(keys.length + 1)
})

test('a mailbox whose password does not open says why it is not read, and is read once the key is right', async () => {
  const { put, mail, id, statuses } = await begunOverImap(1)
  put(replyTo(mail(0)))
  const error = async () => (await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_error
  loseKey()
  expect(await pollImap([id])).toMatchObject({ mails: 0, failed: 1 })
  expect(await error()).toMatch(/Was ENCRYPTION_KEY changed/)
  setKey(RIGHT)
  expect(await pollImap([id])).toMatchObject({ mails: 1, failed: 0 })
  expect(await error()).toBeNull()
  expect(await statuses()).toEqual(['replied'])
})
