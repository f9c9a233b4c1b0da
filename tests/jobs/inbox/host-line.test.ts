import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createHostLine } from '#lib/services/inbox/mailboxes/host-line'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import {
  anImapServer,
  closeImapServers,
  connectImap,
  pollImap,
  TIMEOUTS,
} from '#tests/support/servers/imap-mailbox'

afterEach(async () => {
  await closeImapServers()
  await db.mailConnection.deleteMany()
})

/** The queue as a separate process would create it: the processes share nothing but the database. */
const line = (most: number, hold_ms = 60_000) => createHostLine({ pool, most, hold_ms, look_again_ms: 10 })

function watched() {
  const counts = { now: 0, peak: 0 }
  const order: number[] = []
  return {
    counts,
    order,
    work: (i: number) => async () => {
      order.push(i)
      counts.now += 1
      counts.peak = Math.max(counts.peak, counts.now)
      await pause(15)
      counts.now -= 1
      return i
    },
  }
}

test('of many that ask in several processes a few are connected at once, and each has its turn', async () => {
  const { counts, order, work } = watched()
  const processes = [line(3), line(3), line(3)]
  const asked = Array.from({ length: 24 }, (_, i) => processes[i % 3]?.('imap.host.test', work(i)))
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 24 }, (_, i) => i))
  expect(counts.peak).toBe(3)
  expect(order).toHaveLength(24)
  expect(await db.mailConnection.count()).toBe(0)
})

test('whoever came first is connected first, in whichever process', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { order, work } = watched()
  const [one, other] = [line(1), line(1)]
  const begun: Promise<unknown>[] = [one('imap.host.test', () => promise)]
  for (let i = 0; i < 6; i++) {
    await expect.poll(() => db.mailConnection.count()).toBe(i + 1)
    begun.push((i % 2 ? one : other)('imap.host.test', work(i)))
  }
  await expect.poll(() => db.mailConnection.count()).toBe(7)
  resolve()
  await Promise.all(begun)
  expect(order).toEqual([0, 1, 2, 3, 4, 5])
})

test('hosts are counted each for itself, however their names are written', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const take = line(1)
  const begun = Promise.withResolvers<void>()
  const held = take('Imap.Host.test', () => {
    begun.resolve()
    return promise
  })
  await begun.promise
  expect(await take('other.test', async () => 'at once')).toBe('at once')
  let isDone = false
  const second = take('imap.host.test', async () => {
    isDone = true
  })
  await pause(50)
  expect(isDone).toBe(false)
  resolve()
  await Promise.all([held, second])
  expect(isDone).toBe(true)
})

test('work that throws gives its place up; a process that died keeps it for a while and no longer', async () => {
  const take = line(1, 80)
  await expect(take('imap.host.test', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await db.mailConnection.count()).toBe(0)
  await db.mailConnection.create({ data: { host: 'imap.host.test', held_until: new Date(Date.now() + 60) } })
  expect(await take('imap.host.test', async () => 'after it')).toBe('after it')
})

test('work that takes longer than a place is held for keeps it', async () => {
  // A lease so long that no pause of a busy machine looks like a dead process.
  const take = line(1, 2_000)
  const { counts, work } = watched()
  const begun = Promise.withResolvers<void>()
  const long = take('imap.host.test', async () => {
    counts.now += 1
    begun.resolve()
    await pause(3_000)
    counts.now -= 1
  })
  await begun.promise
  await take('imap.host.test', work(1))
  await long
  expect(counts.peak).toBe(1)
})

test('mailboxes of one host are all read, never more of them at once than it takes', async () => {
  const owner = await aUser()
  const imap = await anImapServer({ INBOX: { uid_validity: 1, mails: [] } })
  const mailboxes = await Promise.all(Array.from({ length: 8 }, () => aMailbox(owner)))
  await Promise.all(mailboxes.map(({ mailbox_id }) => connectImap(mailbox_id, imap.port)))
  const ids = mailboxes.map(({ mailbox_id }) => mailbox_id)
  const provider = () =>
    createImapProvider({ policy: { allow_private_hosts: true }, timeouts: TIMEOUTS, inLine: line(2) })
  const [one, other] = await Promise.all([
    pollImap(ids.slice(0, 4), undefined, provider()),
    pollImap(ids.slice(4), undefined, provider()),
  ])
  expect([one, other]).toMatchObject([
    { mailboxes: 4, failed: 0 },
    { mailboxes: 4, failed: 0 },
  ])
  let signedIn = 0
  const peak = Math.max(
    ...imap.commands.map((command) => {
      if (command.startsWith('LOGIN')) signedIn += 1
      if (command.startsWith('LOGOUT')) signedIn -= 1
      return signedIn
    }),
  )
  expect(peak).toBeLessThanOrEqual(2)
})
