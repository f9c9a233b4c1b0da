import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { childHost } from '#lib/providers/reader/hosts'
import { makeReader } from '#lib/providers/reader/pool'
import type { Host } from '#lib/providers/reader/port'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { readInboxMessages } from '#lib/services/inbox/messages'
import { listInboxThreads, readInboxThread } from '#lib/services/inbox/threads'
import type { MailReader } from '#lib/services/reading/mail'
import type { DEADLY_TASKS } from '#tests/support/reader/mail'
import { replyTo } from '#tests/support/scenes/arrivals'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { createImapServer, type ImapFolder } from '#tests/support/servers/imap'

const ENTRY = path.resolve(import.meta.dirname, '../../support/reader/mail.ts')
const hosts: Host[] = []

/** A reader with processes of its own, which counts its tasks. */
function deadly(start = () => childHost(ENTRY, [], { heap_mb: 64, young_mb: 8 })) {
  const asked: string[] = []
  const { read, readParts } = makeReader<typeof DEADLY_TASKS>({
    size: 1,
    memory_mb: 160,
    idle_ms: null,
    start() {
      const host = start()
      hosts.push(host)
      return host
    },
  })
  const reader: MailReader = {
    read(kind, input, options) {
      asked.push(kind)
      return read(kind, input, options)
    },
    readParts,
  }
  return { reader, asked }
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})
afterAll(() => {
  for (const host of hosts) host.kill()
})

/** An IMAP mailbox whose campaign has written to three people, and a reader whose process dies of some mails. */
async function begun(readerOf = deadly()) {
  const made = await launched({}, 3)
  const { outbox } = await dispatchAt(MONDAY)
  const inbox: ImapFolder = { uid_validity: 7, mails: [] }
  const imap = await createImapServer({ INBOX: inbox })
  closers.push(imap.close)
  const { mailbox_id, workspace_id } = made.mailbox
  await db.mailbox.update({
    where: { mailbox_id },
    data: {
      imap: { host: '127.0.0.1', port: imap.port, security: 'none', username: 'dana' },
      imap_password: seal('secret'),
      created_at: MONDAY,
    },
  })
  const put = (raw: string) =>
    inbox.mails.push({ uid: inbox.mails.length + 1, raw: raw.replace(/\r?\n/g, '\r\n'), at: minutes(20) })
  const poll = () =>
    pollInboxes({
      pool: pool(),
      imap: createImapProvider({ policy: { allow_private_hosts: true } }),
      clock: () => minutes(30),
      until: minutes(100_000),
      mailbox_ids: [mailbox_id],
      reader: readerOf.reader,
    })
  const folder = () => db.mailboxFolder.findFirstOrThrow({ where: { mailbox_id, folder: 'INBOX' } })
  const threads = async () =>
    (
      await listInboxThreads(
        { workspace_id, user_id: workspace_id, role: 'owner' },
        { folder: 'open', page: 1, page_size: 50 } as Parameters<typeof listInboxThreads>[1],
        minutes(31),
      )
    ).items
  const leadOf = (email: string) => db.campaignLead.findFirstOrThrow({ where: { email } })
  const [first, second] = outbox
  if (!first || !second) throw new Error('mail left')
  return { ...made, first, second, put, poll, folder, threads, leadOf, asked: readerOf.asked, workspace_id }
}

describe('a mail that kills its reader', () => {
  test.each([
    ['spin', 'over_time'],
    ['heap', 'over_memory'],
    ['exit', 'died'],
  ] as const)(
    'by %s is kept as it came, shown, and never tried again; what is behind it goes on',
    async (ask, why) => {
      const { put, poll, folder, threads, asked, first, workspace_id, leadOf } = await begun()
      put(eml(`From: Eve <eve@stranger.test>\nSubject: Read me\nX-Ask: ${ask}`, 'Words.'))
      put(replyTo(first))
      expect(await poll()).toMatchObject({ mails: 2, failed: 0 })

      const kept = await db.inboundMessage.findFirstOrThrow({ where: { workspace_id, uid: 1 } })
      expect(kept).toMatchObject({
        unreadable: why,
        kind: 'unrelated',
        from_address: 'eve@stranger.test',
        subject: 'Read me',
        evidence: [{ rule: 'could_not_be_read', found: why }],
      })
      expect(Buffer.from(kept.raw ?? []).toString()).toContain('Words.')
      expect(await folder()).toMatchObject({ last_uid: 2n })
      expect((await leadOf(first.to.address)).status).toBe('replied')

      const shown = (await threads()).find(({ labels }) => labels.includes('unreadable'))
      expect(shown).toMatchObject({
        counterpart_address: 'eve@stranger.test',
        subject: 'Read me',
        preview: 'This email could not be read.',
        last_kind: 'unrelated',
        unread: true,
        campaign_lead_id: null,
      })
      const messages = await readInboxMessages(workspace_id, shown?.thread_id ?? '', minutes(31))
      expect(messages).toMatchObject([{ unreadable: why, text: '', html: null, direction: 'in' }])

      // The mail was tried twice and then its header; the mail after it once.
      const read = asked.filter((kind) => kind !== 'display')
      expect(read.toSorted()).toEqual(['head', 'inbound', 'inbound', 'inbound'])
      await db.mailboxFolder.deleteMany()
      await poll()
      expect(asked.filter((kind) => kind !== 'display')).toHaveLength(4)
    },
  )

  test('of a lead counts as its answer: what it says nobody knows', async () => {
    const { put, poll, threads, first, workspace_id, leadOf } = await begun()
    put(replyTo(first, 'Please stop.', 'X-Ask: exit'))
    await poll()
    expect(await leadOf(first.to.address)).toMatchObject({ status: 'replied', next_action_at: null })
    const [thread, another] = await threads()
    expect(another).toBeUndefined()
    expect(thread).toMatchObject({ labels: ['unreadable'], last_kind: 'reply' })
    const messages = await readInboxMessages(workspace_id, thread?.thread_id ?? '', minutes(31))
    expect(messages.at(-1)).toMatchObject({ unreadable: 'died', text: '' })
  })

  test('as a bounce does nothing to its lead', async () => {
    const { put, poll, threads, first, leadOf } = await begun()
    put(
      eml(
        `Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nSubject: Undelivered Mail Returned to Sender\nX-Failed-Recipients: ${first.to.address}\nIn-Reply-To: ${first.message_id}\nX-Ask: exit`,
      ),
    )
    await poll()
    expect((await leadOf(first.to.address)).status).toBe('active')
    expect(await threads()).toMatchObject([{ labels: ['unreadable'], last_kind: 'unrelated' }])
  })

  test('to its very head is shown without a sender, and cannot be answered', async () => {
    const { put, poll, threads, workspace_id } = await begun()
    put(eml('From: Eve <eve@stranger.test>\nX-Ask: spin at all'))
    await poll()
    const [thread] = await threads()
    expect(thread).toMatchObject({ counterpart_address: '', subject: '', labels: ['unreadable'] })
    expect(await readInboxThread(workspace_id, thread?.thread_id ?? '', new Date())).toMatchObject({
      may_answer: false,
      why_not: expect.stringContaining('You cannot reply'),
    })
  })

  test('and comes again and again stands in one conversation', async () => {
    const { put, poll, threads } = await begun()
    for (const at of [1, 2, 3])
      put(eml(`From: eve@stranger.test\nMessage-ID: <same@stranger.test>\nX-No: ${at}\nX-Ask: exit`))
    await poll()
    expect(await threads()).toMatchObject([{ message_count: 3, counterpart_address: 'eve@stranger.test' }])
  })
})

test('where no reader can be started, mail stays where it is and is read at the next turn', async () => {
  const broken = deadly(() => childHost('/nowhere.ts', [], { heap_mb: 64, young_mb: 8 }))
  const { put, poll, asked, first, leadOf, workspace_id } = await begun(broken)
  put(replyTo(first))
  await expect(poll()).rejects.toThrow('could not be read')
  expect(await db.inboundMessage.count({ where: { workspace_id } })).toBe(0)
  expect(asked).toEqual(['inbound'])
  expect((await leadOf(first.to.address)).status).toBe('active')
})
