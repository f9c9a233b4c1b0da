import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { replyInInbox } from '#lib/services/inbox/reply'
import { updateMailbox } from '#lib/services/senders/mailboxes'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { replyTo } from '#tests/support/scenes/arrivals'
import { dispatchAt, launched, MONDAY, minutes, OPEN } from '#tests/support/scenes/launched'
import { aProvider, aSink } from '#tests/support/scenes/smtp'
import { createImapServer, type ImapFault, type ImapFolder } from '#tests/support/servers/imap'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

const imap = createImapProvider({
  policy: { allow_private_hosts: true },
  timeouts: { connect: 60_000, greeting: 60_000, reply: 3_000 },
})
const folder = (special_use?: string): ImapFolder => ({
  uid_validity: 1,
  mails: [],
  ...(special_use && { special_use }),
})
const one = { steps_config: [OPEN.steps_config[0]] }

/** A campaign over a real SMTP server whose mailbox is on a real IMAP server. */
async function begun(folders: Record<string, ImapFolder>, fault: ImapFault = {}, leads = 2, fields = {}) {
  const made = await launched(one, leads)
  const sink = await aSink()
  const server = await createImapServer({ INBOX: folder(), ...folders }, fault)
  closers.push(server.close)
  const { mailbox_id } = made.mailbox
  await db.mailbox.update({
    where: { mailbox_id },
    data: {
      smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: null },
      imap: { host: '127.0.0.1', port: server.port, security: 'none', username: 'dana' },
      imap_password: seal('secret'),
      created_at: MONDAY,
      ...fields,
    },
  })
  const send = (at = MONDAY) => dispatchDue({ mail: aProvider(), clock: () => at })
  const poll = (at = minutes(10)) =>
    pollInboxes({ pool: pool(), imap, clock: () => at, until: minutes(100_000), mailbox_ids: [mailbox_id] })
  const row = () => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
  const waiting = () => db.sentCopy.count({ where: { mailbox_id } })
  const statuses = async () =>
    (await db.action.findMany({ where: { campaign_id: made.campaign_id } })).map(({ status }) => status)
  return { ...made, mailbox_id, sink, server, send, poll, row, waiting, statuses }
}

const messageIds = ({ mails }: ImapFolder) =>
  mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]?.trim())

describe('what left is put into the Sent folder', () => {
  test('once, read, at its time, word for word', async () => {
    const sent = folder('\\Sent')
    const { sink, send, poll, waiting, row } = await begun({ Outbox: sent })
    await send()
    expect(await waiting()).toBe(2)
    expect(await poll()).toMatchObject({ failed: 0 })
    expect(sent.mails.map(({ raw }) => raw.trimEnd()).toSorted()).toEqual(
      sink.messages.map(({ raw }) => raw.trimEnd()).toSorted(),
    )
    expect(sent.mails.map(({ flags, at }) => [flags, at])).toEqual(Array(2).fill(['\\Seen', MONDAY]))
    expect(await waiting()).toBe(0)
    await poll(minutes(20))
    expect(sent.mails).toHaveLength(2)
    expect((await row()).sent_error).toBeNull()
  })

  test.each([
    ['INBOX.Gesendete Objekte', '.', undefined],
    ['&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1-', '/', undefined],
    ['Sent Items', '/', undefined],
    ['[Mail]/Weggegangen', '/', '\\Sent'],
  ])('however its server names it: %s', async (name, delimiter, mark) => {
    const sent = folder(mark)
    const { send, poll } = await begun({ [name]: sent, Drafts: folder() }, { delimiter }, 1)
    await send()
    await poll()
    expect(sent.mails).toHaveLength(1)
  })

  test('a folder named by the owner goes before the one that is marked', async () => {
    const [marked, named] = [folder('\\Sent'), folder()]
    const { send, poll } = await begun({ Sent: marked, Outreach: named }, {}, 1, { sent_folder: 'Outreach' })
    await send()
    await poll()
    expect([marked.mails.length, named.mails.length]).toEqual([0, 1])
  })

  test('where there is none, it is made', async () => {
    const folders: Record<string, ImapFolder> = {}
    const { send, poll, server } = await begun(folders, {}, 1)
    await send()
    await poll()
    const verbs = server.commands.flatMap(
      (command) => /^(CREATE|APPEND|SUBSCRIBE) "?Sent/.exec(command)?.[1] ?? [],
    )
    expect(verbs).toEqual(['CREATE', 'SUBSCRIBE', 'APPEND'])
  })

  test('what is there already, by the server or another program, is not put there again', async () => {
    const sent = folder('\\Sent')
    const { sink, send, poll, waiting } = await begun({ Sent: sent })
    await send()
    sent.mails.push({ uid: 1, raw: sink.messages[0]?.raw ?? '', at: MONDAY })
    await poll()
    expect(messageIds(sent).toSorted()).toEqual([...new Set(messageIds(sent))].toSorted())
    expect(sent.mails).toHaveLength(2)
    expect(await waiting()).toBe(0)
  })

  test('an answer by hand is put there too', async () => {
    const sent = folder('\\Sent')
    const inbox = folder()
    const made = await launched(one, 1)
    const { outbox } = await dispatchAt(MONDAY)
    const server = await createImapServer({ INBOX: inbox, Sent: sent })
    closers.push(server.close)
    const { mailbox_id } = made.mailbox
    await db.mailbox.update({
      where: { mailbox_id },
      data: {
        imap: { host: '127.0.0.1', port: server.port, security: 'none', username: 'dana' },
        imap_password: seal('secret'),
        created_at: MONDAY,
      },
    })
    const [mail] = outbox
    if (!mail) throw new Error('nothing was sent')
    inbox.mails.push({ uid: 1, raw: replyTo(mail).replace(/\r?\n/g, '\r\n'), at: minutes(5) })
    const options = { pool: pool(), imap, until: minutes(100_000), mailbox_ids: [mailbox_id] }
    await pollInboxes({ ...options, clock: () => minutes(10) })
    const thread = await db.thread.findFirstOrThrow({ where: { campaign_id: made.campaign_id } })
    const { provider } = memoryMail()
    await replyInInbox(made.owner, thread.thread_id, { text: 'Gladly.' }, minutes(11), provider)
    await pollInboxes({ ...options, clock: () => minutes(20) })
    expect(sent.mails.map(({ raw }) => raw)).toEqual([expect.stringContaining('Gladly.')])
  })
})

describe('what goes wrong with a copy is nothing of the message', () => {
  test.each(['NO [OVERQUOTA] full', 'drop', 'cut', 'hang', 'deaf'] as const)(
    '%s: it is sent once, replies are read, and the copy is there in the end, once',
    async (how) => {
      let isBroken = true
      const sent = folder('\\Sent')
      const play = (command: string) => (isBroken && command.startsWith('APPEND') ? how : undefined)
      const { sink, send, poll, row, waiting, statuses } = await begun({ Sent: sent }, { play }, 1)
      await send()
      expect(await poll()).toMatchObject({ mailboxes: 1, failed: 0 })
      expect((await row()).sent_error).toEqual(expect.any(String))
      expect(await row()).toMatchObject({ status: 'connected', inbox_error: null })
      await send(minutes(5))
      await send(minutes(60))
      isBroken = false
      await poll(minutes(70))
      expect(sent.mails).toHaveLength(1)
      expect(sink.messages).toHaveLength(1)
      expect(await statuses()).toEqual(['sent'])
      expect((await row()).sent_error).toBeNull()
      expect(await waiting()).toBe(0)
    },
  )

  test('one that never goes in is given up, and says why', async () => {
    const play = (command: string) =>
      command.startsWith('APPEND') ? ('NO [LIMIT] too large' as const) : undefined
    const { send, poll, row, waiting, sink } = await begun({ Sent: folder('\\Sent') }, { play }, 1)
    await send()
    for (let i = 1; i <= 21; i++) await poll(minutes(10 * i))
    expect(await waiting()).toBe(0)
    expect((await row()).sent_error).toContain('too large')
    expect(sink.messages).toHaveLength(1)
  })

  test('nor is it kept for longer than a week, though nobody can read the mailbox', async () => {
    const { send, poll, waiting, server } = await begun({ Sent: folder('\\Sent') }, {}, 1)
    await send()
    await server.close()
    await poll(minutes(60))
    expect(await waiting()).toBe(1)
    await poll(minutes(8 * 24 * 60))
    expect(await waiting()).toBe(0)
  })
})

describe('nothing is kept', () => {
  const SENT = { Sent: folder('\\Sent') }

  test('of what was not sent', async () => {
    const { waiting } = await begun(SENT, {}, 3)
    let calls = 0
    const mail = memoryMail(async () => {
      calls += 1
      if (calls === 1) return { outcome: 'unknown', error: 'lost' }
      return {
        outcome: 'refused_for_good',
        stage: 'rcpt',
        code: 550,
        enhanced: '5.1.1',
        response: '550 5.1.1 no',
        blames: 'recipient',
      }
    })
    await dispatchDue({ mail: mail.provider, clock: () => MONDAY })
    expect(calls).toBe(3)
    expect(await waiting()).toBe(0)
  })

  test.each(['smtp.gmail.com', 'SMTP.Office365.com', 'smtp-mail.outlook.com'])(
    'by %s, which does so itself',
    async (host) => {
      const { waiting } = await begun(SENT, {}, 1, {
        smtp: { host, port: 465, security: 'tls', username: null },
      })
      await dispatchAt(MONDAY)
      expect(await waiting()).toBe(0)
    },
  )

  test('where the owner does not want it, or does so no more', async () => {
    const off = await begun(SENT, {}, 1, { save_sent: false })
    await off.send()
    expect(await off.waiting()).toBe(0)
    const on = await begun(SENT, {}, 1)
    await on.send()
    expect(await on.waiting()).toBe(1)
    await updateMailbox(on.owner.workspace_id, on.mailbox_id, { save_sent: false }, minutes(1))
    expect(await on.waiting()).toBe(0)
  })
})
