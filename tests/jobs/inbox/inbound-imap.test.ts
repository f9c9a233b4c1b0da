import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { aMailbox } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { minutes } from '#tests/support/scenes/launched'
import type { ImapFault, ImapFolder } from '#tests/support/servers/imap'
import {
  anImapServer,
  begunOverImap,
  closeImapServers,
  connectImap,
  crlf,
  imapProvider,
  pollImap,
  TIMEOUTS,
} from '#tests/support/servers/imap-mailbox'

afterEach(closeImapServers)

test('reads what came in, once, without marking it as seen', async () => {
  const { put, mail, id, imap, statuses } = await begunOverImap()
  put(eml('From: a@stranger.test\nMessage-ID: <s@x>'))
  put(replyTo(mail(0)))
  put(bounceOf(mail(1), '5.1.1'))
  expect(await pollImap([id])).toEqual({ mailboxes: 1, mails: 3, failed: 0, more: false })
  expect(await statuses()).toEqual(['replied', 'bounced', 'active'])
  expect(imap.commands.some((command) => /^SELECT|STORE/.test(command))).toBe(false)

  const before = imap.commands.length
  expect(await pollImap([id])).toMatchObject({ mails: 0 })
  expect(imap.commands.slice(before).some((command) => /FETCH|SEARCH/.test(command))).toBe(false)
  put(replyTo(mail(2)))
  expect(await pollImap([id])).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied', 'bounced', 'replied'])
})

test('a mailbox’s past is not read, its junk folder is', async () => {
  const junk: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Junk' }
  const { put, mail, id, inbox, statuses } = await begunOverImap(2, { Spam: junk })
  inbox.mails.push({ uid: 1, raw: crlf(eml('Message-ID: <old@x>')), at: new Date('2020-01-01') })
  put(replyTo(mail(0)), junk)
  expect(await pollImap([id])).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied', 'active'])
})

test('a folder that is numbered anew is read again, and nothing happens twice', async () => {
  const { put, mail, id, inbox, campaign_id } = await begunOverImap(2)
  put(replyTo(mail(0)))
  await pollImap([id])
  inbox.uid_validity = 8
  inbox.mails = inbox.mails.map((each, i) => ({ ...each, uid: i + 1 }))
  put(replyTo(mail(1)))
  expect(await pollImap([id])).toMatchObject({ mails: 2 })
  expect(await db.inboundMessage.count({ where: { mailbox_id: id } })).toBe(2)
  expect(await db.campaignEvent.count({ where: { campaign_id, kind: 'replied' } })).toBe(2)
})

test.each([Number.NaN, -1, 2 ** 63])(
  'a folder that is numbered by %s is read, and each mail once',
  async (uid_validity) => {
    const { put, mail, id, inbox, statuses } = await begunOverImap(2)
    inbox.uid_validity = uid_validity
    put(replyTo(mail(0)))
    expect(await pollImap([id])).toMatchObject({ mails: 1, failed: 0 })
    put(replyTo(mail(1)))
    expect(await pollImap([id])).toMatchObject({ mails: 1, failed: 0 })
    expect(await statuses()).toEqual(['replied', 'replied'])
  },
)

test.each([
  ['none', 'garbage'],
  ['no day', '00-Jan-0000 00:00:00 +0000'],
  ['a day to come', '31-Dec-9999 23:59:59 +0000'],
  ['a day beyond all calendars', '01-Jan-275760 00:00:00 +0000'],
])(
  'whose date is %s, a mail is taken in all the same, and those after it are found in a folder that is numbered anew',
  async (_, said_at) => {
    const { put, mail, id, inbox, statuses } = await begunOverImap(2)
    inbox.mails.push({ uid: 3, raw: crlf(replyTo(mail(0))), at: minutes(20), said_at })
    expect(await pollImap([id])).toMatchObject({ mails: 1, failed: 0 })
    const [kept] = await db.inboundMessage.findMany({ where: { mailbox_id: id } })
    expect(kept?.received_at).toEqual(minutes(30))
    inbox.uid_validity = 8
    put(replyTo(mail(1)))
    expect(await pollImap([id], minutes(40))).toMatchObject({ failed: 0 })
    expect(await statuses()).toEqual(['replied', 'replied'])
  },
)

describe('a connection that breaks', () => {
  test.each(['drop', 'cut', 'hang'] as const)(
    'in the middle (%s): the next turn goes on where it ended',
    async (how) => {
      let fetches = 0
      // The mails are fetched one by one, and the connection breaks at the third.
      const fault: ImapFault = {
        play(command) {
          if (!command.startsWith('UID FETCH')) return
          if (/FETCH \d+,.*BODY/.test(command)) return 'NO not together'
          return /FETCH \d+ .*BODY/.test(command) && ++fetches === 3 ? how : undefined
        },
      }
      const { put, mail, id, statuses } = await begunOverImap(4, {}, fault)
      for (const i of [0, 1, 2, 3]) put(replyTo(mail(i)))
      expect(await pollImap([id])).toMatchObject({ failed: 1, mails: 2 })
      expect(await statuses()).toEqual(['replied', 'replied', 'active', 'active'])
      expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_error).toBeTruthy()
      expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 2 })
      expect(await statuses()).toEqual(Array(4).fill('replied'))
      expect(await db.inboundMessage.count({ where: { mailbox_id: id } })).toBe(4)
      expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_error).toBeNull()
    },
  )

  test.each(['drop', 'cut', 'hang'] as const)(
    'while they are asked for together (%s): the next turn takes them',
    async (how) => {
      let fetches = 0
      const fault: ImapFault = {
        play: (command) => (command.startsWith('UID FETCH') && ++fetches === 2 ? how : undefined),
      }
      const { put, mail, id, statuses } = await begunOverImap(3, {}, fault)
      for (const i of [0, 1, 2]) put(replyTo(mail(i)))
      expect(await pollImap([id])).toMatchObject({ failed: 1, mails: 0 })
      expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 3 })
      expect(await statuses()).toEqual(Array(3).fill('replied'))
    },
  )

  test('at its greeting or sign-in is a failure of that mailbox alone', async () => {
    const { put, mail, id, owner, statuses } = await begunOverImap(1)
    put(replyTo(mail(0)))
    const broken = await aMailbox(owner)
    const imap = await anImapServer({ INBOX: { uid_validity: 1, mails: [] } }, { play: () => 'drop' })
    await connectImap(broken.mailbox_id, imap.port)
    expect(await pollImap([id, broken.mailbox_id])).toMatchObject({ mailboxes: 2, failed: 1, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
  })
})

test('refused credentials are told, and not tried again for a while', async () => {
  const { id, imap } = await begunOverImap(1)
  await connectImap(id, imap.port, 'wrong')
  await db.mailbox.deleteMany({ where: { NOT: { mailbox_id: id } } })
  expect(await pollImap([id])).toMatchObject({ failed: 1 })
  const { inbox_error } = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })
  expect(inbox_error).toMatch(/Invalid credentials/)
  const every = (at: Date) =>
    pollInboxes({ pool: pool(), imap: imapProvider(), clock: () => at, until: minutes(100_000) })
  expect(await every(minutes(35))).toMatchObject({ mailboxes: 0 })
  expect(await every(minutes(45))).toMatchObject({ mailboxes: 1 })
})

test('a host on a private network is not reached', async () => {
  const { id, imap } = await begunOverImap(1)
  const guarded = createImapProvider({ policy: { allow_private_hosts: false }, timeouts: TIMEOUTS })
  expect(await pollImap([id], minutes(30), guarded)).toMatchObject({ failed: 1 })
  expect(imap.counts.connections).toBe(0)
})

test('of a huge mail the beginning suffices', async () => {
  const { put, mail, id, statuses } = await begunOverImap(1)
  put(replyTo(mail(0), `Yes.\n${'x'.repeat(70)}\n`.repeat(4_000)))
  expect(await pollImap([id], minutes(30), imapProvider(10_000))).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied'])
  expect((await db.inboundMessage.findFirst({ where: { mailbox_id: id } }))?.size_bytes).toBeGreaterThan(
    250_000,
  )
})

test('broken bytes hold nothing up', async () => {
  const { put, mail, id, statuses } = await begunOverImap(1)
  put('')
  put('\x00\x00\x00\xff\xfe')
  put(
    `Subject: =?utf-8?b?////?=\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain; charset=nonsense\n\n\x80\x81`,
  )
  put(replyTo(mail(0)))
  expect(await pollImap([id])).toMatchObject({ mails: 4, failed: 0 })
  expect(await statuses()).toEqual(['replied'])
})

test('many mails come in batches, many mailboxes a few at a time', async () => {
  const { id, owner, inbox } = await begunOverImap(1)
  for (let i = 0; i < 130; i++)
    inbox.mails.push({ uid: i + 1, raw: crlf(eml(`From: s@x.test\nMessage-ID: <${i}@x>`)), at: minutes(5) })
  expect(await pollImap([id])).toMatchObject({ mails: 100, more: true })
  const behind = async () => (await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_behind
  expect(await behind()).toBe(true)
  expect(await pollImap([id])).toMatchObject({ mails: 30, more: false })
  expect(await behind()).toBe(false)

  const shared = await anImapServer({
    INBOX: { uid_validity: 1, mails: [{ uid: 1, raw: crlf(eml('')), at: minutes(5) }] },
  })
  const others = await Promise.all(Array.from({ length: 20 }, () => aMailbox(owner)))
  await Promise.all(others.map(({ mailbox_id }) => connectImap(mailbox_id, shared.port)))
  expect(await pollImap(others.map(({ mailbox_id }) => mailbox_id))).toMatchObject({
    mailboxes: 20,
    mails: 20,
    failed: 0,
  })
  expect(shared.counts.peak).toBeLessThanOrEqual(6)
})
