import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/poll'
import { bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { aMailbox } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { createImapServer, type ImapFault, type ImapFolder } from '#tests/support/servers/imap'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

const crlf = (raw: string) => raw.replace(/\r?\n/g, '\r\n')
const timeouts = { connect: 60_000, greeting: 60_000, reply: 5_000 }
const provider = (max_source_bytes?: number) =>
  createImapProvider({
    policy: { allow_private_hosts: true },
    timeouts,
    ...(max_source_bytes && { max_source_bytes }),
  })

async function server(folders: Record<string, ImapFolder>, fault?: ImapFault) {
  const imap = await createImapServer(folders, fault)
  closers.push(imap.close)
  return imap
}

const connect = (mailbox_id: string, port: number, username = 'dana') =>
  db.mailbox.update({
    where: { mailbox_id },
    data: {
      imap: { host: '127.0.0.1', port, security: 'none', username },
      imap_password: seal('secret'),
      created_at: MONDAY,
    },
  })

const poll = (mailbox_ids: string[], at = minutes(30), imap = provider()) =>
  pollInboxes({ pool: pool(), imap, clock: () => at, until: minutes(100_000), mailbox_ids })

/** A mailbox over IMAP whose campaign has written to `leads` people. */
async function begun(leads = 3, folders: Record<string, ImapFolder> = {}, fault?: ImapFault) {
  const made = await launched({}, leads)
  const { outbox } = await dispatchAt(MONDAY)
  const inbox: ImapFolder = { uid_validity: 7, mails: [] }
  const imap = await server({ INBOX: inbox, ...folders }, fault)
  await connect(made.mailbox.mailbox_id, imap.port)
  const id = made.mailbox.mailbox_id
  const put = (raw: string, folder = inbox) =>
    folder.mails.push({ uid: (folder.mails.at(-1)?.uid ?? 0) + 3, raw: crlf(raw), at: minutes(20) })
  const statuses = async () =>
    (
      await db.campaignLead.findMany({
        where: { campaign_id: made.campaign_id },
        orderBy: { lead_index: 'asc' },
      })
    ).map(({ status }) => status)
  return {
    ...made,
    outbox,
    imap,
    inbox,
    id,
    put,
    statuses,
    mail: (i: number) => outbox[i] as (typeof outbox)[number],
  }
}

test('reads what came in, once, without marking it as seen', async () => {
  const { put, mail, id, imap, statuses } = await begun()
  put(eml('From: a@stranger.test\nMessage-ID: <s@x>'))
  put(replyTo(mail(0)))
  put(bounceOf(mail(1), '5.1.1'))
  expect(await poll([id])).toEqual({ mailboxes: 1, mails: 3, failed: 0, more: false })
  expect(await statuses()).toEqual(['replied', 'bounced', 'active'])
  expect(imap.commands.some((command) => /^SELECT|STORE/.test(command))).toBe(false)

  const before = imap.commands.length
  expect(await poll([id])).toMatchObject({ mails: 0 })
  expect(imap.commands.slice(before).some((command) => /FETCH|SEARCH/.test(command))).toBe(false)
  put(replyTo(mail(2)))
  expect(await poll([id])).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied', 'bounced', 'replied'])
})

test('a mailbox’s past is not read, its junk folder is', async () => {
  const junk: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Junk' }
  const { put, mail, id, inbox, statuses } = await begun(2, { Spam: junk })
  inbox.mails.push({ uid: 1, raw: crlf(eml('Message-ID: <old@x>')), at: new Date('2020-01-01') })
  put(replyTo(mail(0)), junk)
  expect(await poll([id])).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied', 'active'])
})

test('a folder that is numbered anew is read again, and nothing happens twice', async () => {
  const { put, mail, id, inbox, campaign_id } = await begun(2)
  put(replyTo(mail(0)))
  await poll([id])
  inbox.uid_validity = 8
  inbox.mails = inbox.mails.map((each, i) => ({ ...each, uid: i + 1 }))
  put(replyTo(mail(1)))
  expect(await poll([id])).toMatchObject({ mails: 2 })
  expect(await db.inboundMessage.count({ where: { mailbox_id: id } })).toBe(2)
  expect(await db.campaignEvent.count({ where: { campaign_id, kind: 'replied' } })).toBe(2)
})

describe('a connection that breaks', () => {
  test.each(['drop', 'cut', 'hang'] as const)(
    'in the middle (%s): the next turn goes on where it ended',
    async (how) => {
      let fetches = 0
      const fault: ImapFault = {
        play: (command) => (command.startsWith('UID FETCH') && ++fetches === 3 ? how : undefined),
      }
      const { put, mail, id, statuses } = await begun(4, {}, fault)
      for (const i of [0, 1, 2, 3]) put(replyTo(mail(i)))
      expect(await poll([id])).toMatchObject({ failed: 1, mails: 2 })
      expect(await statuses()).toEqual(['replied', 'replied', 'active', 'active'])
      expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_error).toBeTruthy()
      expect(await poll([id])).toMatchObject({ failed: 0, mails: 2 })
      expect(await statuses()).toEqual(Array(4).fill('replied'))
      expect(await db.inboundMessage.count({ where: { mailbox_id: id } })).toBe(4)
      expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).inbox_error).toBeNull()
    },
  )

  test('at its greeting or sign-in is a failure of that mailbox alone', async () => {
    const { put, mail, id, owner, statuses } = await begun(1)
    put(replyTo(mail(0)))
    const broken = await aMailbox(owner)
    const imap = await server({ INBOX: { uid_validity: 1, mails: [] } }, { play: () => 'drop' })
    await connect(broken.mailbox_id, imap.port)
    expect(await poll([id, broken.mailbox_id])).toMatchObject({ mailboxes: 2, failed: 1, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
  })
})

test('refused credentials are told, and not tried again for a while', async () => {
  const { id, imap } = await begun(1)
  await connect(id, imap.port, 'wrong')
  await db.mailbox.deleteMany({ where: { NOT: { mailbox_id: id } } })
  expect(await poll([id])).toMatchObject({ failed: 1 })
  const { inbox_error } = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })
  expect(inbox_error).toMatch(/Invalid credentials/)
  const every = (at: Date) =>
    pollInboxes({ pool: pool(), imap: provider(), clock: () => at, until: minutes(100_000) })
  expect(await every(minutes(35))).toMatchObject({ mailboxes: 0 })
  expect(await every(minutes(45))).toMatchObject({ mailboxes: 1 })
})

test('a host on a private network is not reached', async () => {
  const { id, imap } = await begun(1)
  const guarded = createImapProvider({ policy: { allow_private_hosts: false }, timeouts })
  expect(await poll([id], minutes(30), guarded)).toMatchObject({ failed: 1 })
  expect(imap.counts.connections).toBe(0)
})

test('of a huge mail the beginning suffices', async () => {
  const { put, mail, id, statuses } = await begun(1)
  put(replyTo(mail(0), `Yes.\n${'x'.repeat(70)}\n`.repeat(4_000)))
  expect(await poll([id], minutes(30), provider(10_000))).toMatchObject({ mails: 1 })
  expect(await statuses()).toEqual(['replied'])
  expect((await db.inboundMessage.findFirst({ where: { mailbox_id: id } }))?.size_bytes).toBeGreaterThan(
    250_000,
  )
})

test('broken bytes hold nothing up', async () => {
  const { put, mail, id, statuses } = await begun(1)
  put('')
  put('\x00\x00\x00\xff\xfe')
  put(
    `Subject: =?utf-8?b?////?=\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain; charset=nonsense\n\n\x80\x81`,
  )
  put(replyTo(mail(0)))
  expect(await poll([id])).toMatchObject({ mails: 4, failed: 0 })
  expect(await statuses()).toEqual(['replied'])
})

test('many mails come in batches, many mailboxes a few at a time', async () => {
  const { id, owner, inbox } = await begun(1)
  for (let i = 0; i < 130; i++)
    inbox.mails.push({ uid: i + 1, raw: crlf(eml(`From: s@x.test\nMessage-ID: <${i}@x>`)), at: minutes(5) })
  expect(await poll([id])).toMatchObject({ mails: 100, more: true })
  expect(await poll([id])).toMatchObject({ mails: 30, more: false })

  const shared = await server({
    INBOX: { uid_validity: 1, mails: [{ uid: 1, raw: crlf(eml('')), at: minutes(5) }] },
  })
  const others = await Promise.all(Array.from({ length: 20 }, () => aMailbox(owner)))
  await Promise.all(others.map(({ mailbox_id }) => connect(mailbox_id, shared.port)))
  expect(await poll(others.map(({ mailbox_id }) => mailbox_id))).toMatchObject({
    mailboxes: 20,
    mails: 20,
    failed: 0,
  })
  expect(shared.counts.peak).toBeLessThanOrEqual(6)
})
