import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { composeMail } from '#lib/providers/mail/compose'
import { resumeLeads } from '#lib/services/leads/stops'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { awayNotice, replyTo } from '#tests/support/scenes/arrivals'
import { launchedOver, logOf } from '#tests/support/scenes/begun'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, MONDAY, minutes } from '#tests/support/scenes/launched'
import type { ImapFolder } from '#tests/support/servers/imap'
import { begunOverImap, closeImapServers, crlf, pollImap } from '#tests/support/servers/imap-mailbox'

afterEach(closeImapServers)

/** When the second step is due. */
const DAY = minutes(24 * 60 + 5)

let made = 0
type Mail = { to?: string; headers?: string; text?: string; id?: string }
const written = (from: string, { to = '', headers = '', text = 'As we said on the phone.', id }: Mail) =>
  eml(
    `From: Dana <${from}>\nTo: <${to}>\nSubject: Secret words\nMessage-ID: ${id ?? `<hand-${++made}@else.test>`}\n${headers}`.trimEnd(),
    text,
  )

async function begun(leads = 2) {
  const sent: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Sent' }
  const world = await begunOverImap(leads, { Sent: sent })
  const { put, id, mailbox, campaign_id, owner } = world
  const write = (mail: Mail) => put(written(mailbox.address, mail), sent)
  const leadsOf = () => db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  const messages = () =>
    db.inboxMessage.findMany({ where: { workspace_id: owner.workspace_id }, orderBy: { at: 'asc' } })
  const kept = () => db.inboundMessage.findMany({ where: { mailbox_id: id } })
  const poll = (at = minutes(30)) => pollImap([id], at)
  return { ...world, sent, write, leadsOf, messages, kept, poll }
}

const LATER = async () => (await dispatchAt(DAY)).outbox.map(({ to }) => to.address)

describe('what somebody writes to a lead in another program', () => {
  test('ends the lead, stands in its conversation, and is read once', async () => {
    const { write, mail, poll, leadsOf, messages, sent, id } = await begun()
    write({ to: mail(0).to.address })
    expect(await poll()).toMatchObject({ failed: 0, mails: 1 })
    const [ended, other] = await leadsOf()
    expect(ended).toMatchObject({
      status: 'skipped',
      reason: 'written_by_hand',
      last_event: 'stopped',
      next_action_at: null,
    })
    expect(await logOf(ended?.campaign_lead_id ?? '')).toEqual(['stopped'])
    expect(other).toMatchObject({ status: 'active' })
    expect(await messages()).toMatchObject([
      { kind: 'own_message', direction: 'out', text: expect.stringContaining('As we said on the phone.') },
    ])
    expect(await LATER()).toEqual([mail(1).to.address])
    // After a change of UIDVALIDITY all of it is read again.
    sent.uid_validity = 2
    expect(await poll(minutes(60))).toMatchObject({ failed: 0, mails: 1 })
    expect(await messages()).toHaveLength(1)
    expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).sent_polled_at).toEqual(
      minutes(60),
    )
  })

  test('ends everybody whom it went to, also in Cc and in Bcc', async () => {
    const { write, mail, poll, statuses, messages } = await begun(3)
    const [a, b, c] = [0, 1, 2].map((i) => mail(i).to.address)
    write({ to: `${a}>, <x@else.test`, headers: `Cc: <${b}>\nBcc: <${c}>` })
    await poll()
    expect(await statuses()).toEqual(['skipped', 'skipped', 'skipped'])
    expect(await messages()).toHaveLength(3)
    expect(await LATER()).toEqual([])
  })

  test('may answer whoever wrote in the conversation, from whatever address', async () => {
    const { put, write, mail, poll, messages, statuses } = await begun(1)
    const theirs = replyTo(mail(0)).replace(`From: <${mail(0).to.address}>`, 'From: <ida@home.test>')
    put(theirs)
    await poll()
    const [reply] = await messages()
    write({ to: 'ida@home.test', headers: `In-Reply-To: ${reply?.message_id}` })
    await poll(minutes(60))
    expect((await messages()).map(({ kind }) => kind)).toEqual(['reply', 'own_message'])
    expect(await statuses()).toEqual(['replied'])
    expect(await db.thread.findFirst()).toMatchObject({ last_direction: 'out' })
  })

  test('ends a lead whose program said that they are away, and not one whose answer is to be waited for', async () => {
    const { put, write, mail, poll, statuses, owner } = await begun(2)
    put(awayNotice(mail(0), 'I am out of the office until 20 January 2026.', minutes(15)))
    put(replyTo(mail(1), 'Please get back to me in three months.'))
    await db.intentRule.create({
      data: { workspace_id: owner.workspace_id, intent: 'later', does: 'hold', hold_days: 90 },
    })
    await poll()
    expect(await statuses()).toEqual(['active', 'active'])
    for (const i of [0, 1]) write({ to: mail(i).to.address })
    await poll(minutes(60))
    expect(await statuses()).toEqual(['skipped', 'active'])
  })

  test.each([
    ['everywhere', ['skipped', 'skipped'], ''],
    ['campaign', ['skipped', 'active'], 'In-Reply-To: '],
    // The mail is a reply in neither campaign.
    ['campaign', ['skipped', 'skipped'], ''],
  ] as const)(
    'in every campaign, or in that one, as after a reply: %s, %j',
    async (after_reply, ends, named) => {
      const world = await begun(1)
      const { write, mail, poll, owner, dataset_id, campaign_id } = world
      const { workspace_id } = owner
      const one_campaign_at_a_time = false
      await db.workspace.update({ where: { workspace_id }, data: { after_reply, one_campaign_at_a_time } })
      const other = await launchedOver(world, dataset_id, {})
      await dispatchAt(minutes(1))
      write({ to: mail(0).to.address, headers: named && `${named}${mail(0).message_id}` })
      await poll()
      const statusIn = async (id: string) =>
        (await db.campaignLead.findFirstOrThrow({ where: { campaign_id: id } })).status
      expect([await statusIn(campaign_id), await statusIn(other.campaign_id)]).toEqual(ends)
    },
  )

  test('can be taken back: the lead goes on, and stays so', async () => {
    const { write, mail, poll, leadsOf, owner, campaign_id, sent } = await begun(1)
    write({ to: mail(0).to.address })
    await poll()
    const [lead] = await leadsOf()
    const ids = [lead?.campaign_lead_id ?? '']
    expect((await resumeLeads(owner.workspace_id, campaign_id, ids, minutes(40))).changed).toEqual(ids)
    sent.uid_validity = 2
    await poll(minutes(60))
    expect(await LATER()).toEqual([mail(0).to.address])
  })

  test('counts once, though it came in as a copy too', async () => {
    const { write, put, mail, poll, messages, statuses, mailbox } = await begun(1)
    const said = { to: mail(0).to.address, id: '<twice@else.test>' }
    put(written(mailbox.address, said))
    write(said)
    await poll()
    expect(await messages()).toHaveLength(1)
    expect(await statuses()).toEqual(['skipped'])
  })
})

describe('private mail leaves no trace', () => {
  const NOBODY = { name: 'to somebody else', mail: () => ({ to: 'mum@home.test' }) }

  test.each([
    NOBODY,
    {
      name: 'a conversation forwarded to a colleague',
      mail: (id: string) => ({ to: 'boss@else.test', headers: `In-Reply-To: ${id}\nReferences: ${id}` }),
    },
    {
      name: 'an answer of a program to a lead',
      mail: (_id: string, to: string) => ({ to, headers: 'Auto-Submitted: auto-replied' }),
    },
    {
      name: 'a newsletter to a lead',
      mail: (_id: string, to: string) => ({ to, headers: 'List-Unsubscribe: <https://else.test/u>' }),
    },
  ])('$name: nor are its words or its subject asked for', async ({ mail: made }) => {
    const { write, mail, poll, messages, kept, statuses, imap } = await begun(1)
    write(made(mail(0).message_id, mail(0).to.address))
    expect(await poll()).toMatchObject({ failed: 0, mails: 0 })
    expect(await kept()).toEqual([])
    expect(await messages()).toEqual([])
    expect(await statuses()).toEqual(['active'])
    const fetched = imap.commands.filter((command) => command.startsWith('UID FETCH'))
    expect(fetched).toHaveLength(1)
    expect(fetched[0]).toContain('HEADER.FIELDS')
    expect(fetched[0]).not.toMatch(/SUBJECT|BODY\.PEEK\[\]/i)
  })

  test('so does what left before the mailbox was connected, or before its lead was written to', async () => {
    const { mail, sent, poll, kept, statuses, mailbox, imap } = await begun(1)
    const raw = crlf(written(mailbox.address, { to: mail(0).to.address }))
    const old = new Date(MONDAY.getTime() - 1)
    sent.mails.push({ uid: 1, raw, at: new Date('2020-01-01') }, { uid: 2, raw, at: old })
    await poll()
    expect(imap.commands.filter((command) => command.startsWith('UID FETCH 1 '))).toEqual([])
    expect(await kept()).toEqual([])
    expect(await statuses()).toEqual(['active'])
  })

  test('of a mailbox that was there before Sent was read, the last week is looked at', async () => {
    const { mail, sent, poll, imap, mailbox, id } = await begun(1)
    await db.mailbox.update({ where: { mailbox_id: id }, data: { created_at: new Date('2020-01-01') } })
    const raw = crlf(written(mailbox.address, { to: mail(0).to.address }))
    sent.mails.push({ uid: 1, raw, at: new Date('2021-05-05') })
    await poll()
    expect(imap.commands.some((command) => command.startsWith('UID FETCH'))).toBe(false)
  })
})

describe('what Opener sent is its own', () => {
  test.each([
    ['under its own name', (raw: string) => raw],
    ['under another', (raw: string) => raw.replace(/^Message-ID:.*$/im, 'Message-ID: <own@server.test>')],
  ])('a step that is in Sent before it is known to have left, %s', async (_how, renamed) => {
    const { sent, poll, kept, statuses } = await begun(1)
    let read = 0
    const { provider } = memoryMail(async (message) => {
      sent.mails.push({ uid: ++read, raw: renamed(composeMail(message).toString('latin1')), at: DAY })
      expect(await poll(DAY)).toMatchObject({ failed: 0, mails: 0 })
      return { outcome: 'accepted', response: '250 ok', server_message_id: null }
    })
    await dispatchDue({ mail: provider, clock: () => DAY })
    expect(read).toBe(1)
    expect(await kept()).toEqual([])
    expect(await statuses()).toEqual(['completed'])
  })

  test('under the Message-ID that its server gave it, known by the header that stays or by its words', async () => {
    const { mail, sent, poll, kept, statuses } = await begun(2)
    const [first, second] = await db.action.findMany({ orderBy: { action_id: 'asc' } })
    const [a, b] = [first, second].map((action) =>
      [mail(0), mail(1)].find(({ message_id }) => message_id === action?.message_id),
    )
    const copies = [
      written(a?.from.address ?? '', { to: a?.to.address ?? '', headers: `X-Message-Ref: ${a?.message_id}` }),
      written(b?.from.address ?? '', {
        to: b?.to.address ?? '',
        text: second?.body ?? '',
        id: '<renamed@server.test>',
      }),
    ]
    for (const [uid, raw] of copies.entries())
      sent.mails.push({ uid: uid + 1, raw: crlf(raw), at: minutes(1) })
    await poll()
    expect(await kept()).toEqual([])
    expect(await statuses()).toEqual(['active', 'active'])
    expect(await db.action.findUnique({ where: { action_id: second?.action_id ?? '' } })).toMatchObject({
      server_message_id: '<renamed@server.test>',
    })
  })

  test('of Exchange, that writes words anew, by its subject where it left a moment ago', async () => {
    const { mail, sent, poll, statuses, id } = await begun(1)
    const smtp = { host: 'smtp-mail.outlook.com', port: 587, security: 'starttls', username: null }
    await db.mailbox.update({ where: { mailbox_id: id }, data: { smtp } })
    const { from, to, subject } = mail(0)
    const copy = written(from.address, { to: to.address, text: 'A word <https://x.test>' })
    sent.mails.push({ uid: 1, raw: crlf(copy.replace('Secret words', subject)), at: minutes(1) })
    await poll()
    expect(await statuses()).toEqual(['active'])
  })
})

describe('where Sent cannot be read', () => {
  test.each(['NO [NOPERM] not yours'] as const)('%s: what came in is read all the same', async (how) => {
    const sent: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Sent' }
    const play = (command: string) =>
      command === 'EXAMINE Sent' || command === 'EXAMINE "Sent"' ? how : undefined
    const { put, mail, id, statuses } = await begunOverImap(1, { Sent: sent }, { play })
    put(replyTo(mail(0)))
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 1 })
    expect(await statuses()).toEqual(['replied'])
    expect((await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: id } })).sent_polled_at).toBeNull()
  })

  test.each(['drop', 'cut', 'hang'] as const)(
    '%s: the reading has failed, and is done again',
    async (how) => {
      let isBroken = true
      const sent: ImapFolder = { uid_validity: 1, mails: [], special_use: '\\Sent' }
      const play = (command: string) => (isBroken && command.includes('HEADER.FIELDS') ? how : undefined)
      const { put, mail, id, statuses, mailbox } = await begunOverImap(1, { Sent: sent }, { play })
      put(written(mailbox.address, { to: mail(0).to.address }), sent)
      expect(await pollImap([id])).toMatchObject({ failed: 1 })
      isBroken = false
      expect(await pollImap([id], minutes(60))).toMatchObject({ failed: 0, mails: 1 })
      expect(await statuses()).toEqual(['skipped'])
    },
  )

  test('a folder that its owner named is read in the place of the one that is marked', async () => {
    const [marked, named] = [1, 2].map((): ImapFolder => ({ uid_validity: 1, mails: [] }))
    if (!marked || !named) throw new Error('no folders')
    marked.special_use = '\\Sent'
    const { put, mail, id, statuses, mailbox } = await begunOverImap(2, { Sent: marked, Outreach: named })
    await db.mailbox.update({ where: { mailbox_id: id }, data: { sent_folder: 'Outreach' } })
    put(written(mailbox.address, { to: mail(0).to.address }), named)
    put(written(mailbox.address, { to: mail(1).to.address }), marked)
    await pollImap([id])
    expect(await statuses()).toEqual(['skipped', 'active'])
  })
})

test('a long Sent is read by parts, and follow-ups wait until it was', async () => {
  const { sent, poll, mailbox, mail, statuses, id } = await begun(1)
  for (let uid = 1; uid <= 520; uid++)
    sent.mails.push({ uid, raw: crlf(written(mailbox.address, { to: 'mum@home.test' })), at: minutes(5) })
  sent.mails.push({
    uid: 600,
    raw: crlf(written(mailbox.address, { to: mail(0).to.address })),
    at: minutes(6),
  })
  expect(await poll()).toMatchObject({ more: true, mails: 0 })
  expect(await db.mailbox.findUnique({ where: { mailbox_id: id } })).toMatchObject({ inbox_behind: true })
  expect(await poll()).toMatchObject({ more: false, mails: 1 })
  expect(await statuses()).toEqual(['skipped'])
})
