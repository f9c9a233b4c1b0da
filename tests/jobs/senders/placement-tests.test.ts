import { afterEach, expect, test } from 'vitest'
import { ReadPlacementTests } from '#lib/contracts/senders/placement-tests'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { composeMail } from '#lib/providers/mail/compose'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { placementTests, startPlacementTests } from '#lib/services/inbox/sent/placement-tests'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { createImapServer, type ImapFolder } from '#tests/support/servers/imap'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.mailbox.deleteMany()
})

const WORDS = { subject: 'A short question', text: 'Did this reach you?' }
const imap = createImapProvider({ policy: { allow_private_hosts: true } })
const poll = (mailbox_id: string) =>
  pollInboxes({
    pool: pool(),
    imap,
    clock: () => minutes(10),
    until: minutes(100_000),
    mailbox_ids: [mailbox_id],
  })

/** A mailbox with seed mailboxes that are read over IMAP. */
async function aScene(seeds = 1, extensions?: string) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner, { address: 'dana@sender.test' })
  const inbox: ImapFolder = { uid_validity: 7, mails: [] }
  const junk: ImapFolder = { uid_validity: 8, mails: [], special_use: '\\Junk' }
  const server = await createImapServer({ INBOX: inbox, Spam: junk }, { ...(extensions && { extensions }) })
  closers.push(server.close)
  const made = await Promise.all(
    Array.from({ length: seeds }, (_, index) => aMailbox(owner, { address: `seed-${index}@gmail.com` })),
  )
  const connection = { host: '127.0.0.1', port: server.port, security: 'none', username: 'seed' }
  await db.mailbox.updateMany({
    where: { mailbox_id: { in: made.map((seed) => seed.mailbox_id) } },
    data: { imap: connection, imap_password: seal('secret'), created_at: MONDAY },
  })
  const seed_mailbox_ids = made.map((seed) => seed.mailbox_id)
  const start = (mail: ReturnType<typeof memoryMail>) =>
    startPlacementTests(
      owner.workspace_id,
      mailbox.mailbox_id,
      { ...WORDS, seed_mailbox_ids },
      MONDAY,
      mail.provider,
    )
  const list = async (at = minutes(20)) =>
    ReadPlacementTests.response.parse(await placementTests(owner.workspace_id, mailbox.mailbox_id, at)).items
  return { owner, mailbox, inbox, junk, seed_mailbox_ids, start, list }
}

/** As the receiver stores it: its own header on top, and below it one that the sender may have forged. */
const received = (message: OutgoingMail, said: string) =>
  `Authentication-Results: ${said}\r\nAuthentication-Results: mx.evil.test; dmarc=pass header.from=sender.test\r\n${composeMail(message).toString('latin1')}`
const SAID =
  'mx.google.com; dkim=pass header.i=@sender.test; spf=softfail smtp.mailfrom=dana@sender.test; dmarc=pass header.from=sender.test'

test('what the receiver found of a mail in its inbox is kept, and no stranger’s word', async () => {
  const { inbox, seed_mailbox_ids, start, list } = await aScene()
  const mail = memoryMail()
  const { items } = await start(mail)
  expect(items).toMatchObject([{ state: 'waiting', seed_address: 'seed-0@gmail.com' }])
  expect(items[0]?.placement_test_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
  const [message] = mail.outbox
  if (!message) throw new Error('nothing was offered')
  expect(message).toMatchObject({ from: { address: 'dana@sender.test' }, subject: WORDS.subject })
  inbox.mails.push({ uid: 1, raw: received(message, SAID), at: minutes(5) })
  await poll(seed_mailbox_ids[0] ?? '')
  expect(await list()).toMatchObject([
    {
      state: 'arrived',
      placement: 'inbox',
      provider: 'google',
      authentication: {
        authserv_id: 'mx.google.com',
        spf: { result: 'softfail', domain: 'sender.test' },
        dkim: [{ result: 'pass', domain: 'sender.test' }],
        dmarc: { result: 'pass', domain: 'sender.test' },
      },
    },
  ])
  // It counts as a reply of nobody.
  expect(await db.thread.count()).toBe(0)
})

test('the folder for spam and a tab of Gmail’s are told', async () => {
  const { inbox, junk, seed_mailbox_ids, start, list } = await aScene(2, 'X-GM-EXT-1')
  const mail = memoryMail()
  await start(mail)
  const [first, second] = mail.outbox
  if (!first || !second) throw new Error('two were offered')
  inbox.mails.push({ uid: 1, raw: received(first, SAID), at: minutes(5), category: 'promotions' })
  junk.mails.push({ uid: 1, raw: received(second, 'mx.evil.test; spf=pass'), at: minutes(5) })
  for (const seed of seed_mailbox_ids) await poll(seed)
  const placed = (await list()).map(({ seed_address, placement }) => [seed_address, placement])
  expect(placed).toEqual([
    ['seed-0@gmail.com', 'promotions'],
    ['seed-1@gmail.com', 'spam'],
  ])
  expect((await list())[1]?.authentication).toBeNull()
})

test('one that its server gave another Message-ID is known by its reference', async () => {
  const { inbox, seed_mailbox_ids, start, list } = await aScene()
  const mail = memoryMail(() => ({ ...ACCEPTED, server_message_id: '<other@mail.gmail.com>' }) as MailOutcome)
  await start(mail)
  const [message] = mail.outbox
  if (!message) throw new Error('nothing was offered')
  const raw = received({ ...message, message_id: '<other@mail.gmail.com>', headers: {} }, SAID)
  inbox.mails.push({ uid: 1, raw, at: minutes(5) })
  await poll(seed_mailbox_ids[0] ?? '')
  expect(await list()).toMatchObject([{ state: 'arrived', placement: 'inbox' }])
})

test('what was refused says why, and what never comes is missing', async () => {
  const { start, list } = await aScene(2)
  let calls = 0
  const refused = {
    stage: 'rcpt',
    code: 550,
    enhanced: null,
    response: '550 no',
    blames: 'recipient',
  } as const
  await start(memoryMail(() => (++calls === 1 ? { outcome: 'refused_for_good', ...refused } : ACCEPTED)))
  expect(await list(minutes(24 * 60))).toMatchObject([
    { state: 'not_sent', error: '550 no' },
    { state: 'missing', error: null },
  ])
})

test('seeds are other mailboxes of the workspace that are read', async () => {
  const { owner, mailbox, seed_mailbox_ids } = await aScene()
  const stranger = await aMailbox(await aUser())
  const unread = await aMailbox(owner)
  const mail = memoryMail()
  for (const id of [mailbox.mailbox_id, stranger.mailbox_id, unread.mailbox_id])
    await expect(
      startPlacementTests(
        owner.workspace_id,
        mailbox.mailbox_id,
        { ...WORDS, seed_mailbox_ids: [...seed_mailbox_ids, id] },
        MONDAY,
        mail.provider,
      ),
    ).rejects.toThrow('other mailboxes')
  expect(mail.outbox).toEqual([])
})

test('a mailbox sends only so many in a day', async () => {
  const { start } = await aScene(8)
  const mail = memoryMail()
  await start(mail)
  await start(mail)
  await expect(start(mail)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(mail.outbox).toHaveLength(16)
})
