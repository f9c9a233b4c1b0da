import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createGmailInbox } from '#lib/providers/mail-api/gmail/read'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphInbox } from '#lib/providers/mail-api/graph/read'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { routedInbox, routedMail } from '#lib/providers/mail-api/routed'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { createSentFinder } from '#lib/services/inbox/sent/find-sent'
import { dispatchDue } from '#lib/services/sending/run'
import { replyTo } from '#tests/support/scenes/arrivals'
import { launched, MONDAY, minutes, OPEN } from '#tests/support/scenes/launched'
import { aProvider } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import { type MailApiServerOptions, type Play, readField, type Step } from '#tests/support/servers/mail-api'
import { aGrant, anOAuthServer } from '#tests/support/servers/oauth'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

const one = { steps_config: [OPEN.steps_config[0]] }
const policy = { allow_private_hosts: true }

/** A campaign whose mailbox goes over the API of its vendor. */
async function begun(vendor: 'google' | 'microsoft', options: MailApiServerOptions = {}, leads = 2) {
  let now = MONDAY
  const clock = () => now
  const oauth = await anOAuthServer({ vendor })
  const takesToken = (token: string) => oauth.live.access.has(token)
  const serve = vendor === 'google' ? aGmailServer : aGraphServer
  const server = await serve({ takesToken, clock, ...options })
  closers.push(oauth.close, server.close)
  const made = await launched(one, leads)
  const { mailbox_id, workspace_id } = made.mailbox
  const imap = { host: '127.0.0.1', port: 1, security: 'none', username: 'ana@company.test' }
  await db.mailbox.update({ where: { mailbox_id }, data: { imap, created_at: MONDAY } })
  const access = { access_token: 'first', access_expires_at: minutes(100_000) }
  await aGrant({ mailbox_id, workspace_id }, oauth, access)
  await db.mailboxGrant.update({ where: { mailbox_id }, data: { route: 'api' } })
  const how = { origin: server.origin, outbound: { policy }, clock }
  const mail = routedMail(aProvider(), { gmail: createGmailProvider(how), graph: createGraphProvider(how) })
  const inboxes = { gmail: createGmailInbox(how), graph: createGraphInbox(how) }
  const inbox = routedInbox(createImapProvider({ policy }), inboxes)
  const shared = { pool: pool(), imap: inbox, clock, vendors: oauth.vendors }
  const find = createSentFinder({ ...shared, delays_ms: [0, 0] })
  const send = (at = MONDAY) => {
    now = at
    return dispatchDue({ mail, clock, find, vendors: oauth.vendors })
  }
  const poll = (at = minutes(10)) => {
    now = at
    return pollInboxes({ ...shared, until: minutes(100_000), mailbox_ids: [mailbox_id] })
  }
  const actions = () =>
    db.action.findMany({ where: { campaign_id: made.campaign_id }, orderBy: { performed_at: 'asc' } })
  const row = () => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
  return { ...made, mailbox_id, oauth, server, send, poll, actions, row }
}

const playAt = (wanted: Step, play: Play) => ({ play: (step: Step) => (step === wanted ? play : undefined) })

describe.each(['google', 'microsoft'] as const)('%s', (vendor) => {
  test('a campaign leaves, and an answer to the Message-ID that the vendor gave ends its lead', async () => {
    const { send, poll, server, actions } = await begun(vendor, {}, 1)
    await send()
    const [action] = await actions()
    const [raw = ''] = server.sent()
    expect(action).toMatchObject({ status: 'sent', server_message_id: readField(raw, 'Message-ID') })
    const { email } = await db.campaignLead.findFirstOrThrow()
    const to = { name: null, address: email ?? '' }
    const answered = { message_id: action?.server_message_id ?? '', to, from: to, subject: 'Hello' }
    server.deliver(Buffer.from(replyTo(answered as never)).toString(), undefined, minutes(5))
    expect(await poll()).toMatchObject({ failed: 0, mails: 1 })
    expect(await db.campaignLead.findFirstOrThrow()).toMatchObject({ status: 'replied' })
  })

  test('what broke off after it left is found in Sent, and is not uncertain', async () => {
    const { send, server, actions } = await begun(vendor, playAt('send', { acts: true, drop: true }))
    await send()
    const ids = server.sent().map((raw) => readField(raw, 'Message-ID'))
    expect((await actions()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(new Set((await actions()).map(({ server_message_id }) => server_message_id))).toEqual(new Set(ids))
    await send(minutes(500))
    expect(server.sent()).toHaveLength(2)
  })

  test('a copy that comes late settles it at the next reading; without one it stays uncertain', async () => {
    let isSlow = true
    const isLook = (path: string, query: URLSearchParams) =>
      path.endsWith('/messages') && Boolean(query.get('q') ?? query.get('$filter'))
    const empty = { status: 200, body: { messages: [], value: [] } }
    const { send, poll, server, actions } = await begun(vendor, {
      play: (step, { path, query }) => {
        if (step === 'send') return { acts: true, status: 504 }
        return isSlow && isLook(path, query) ? empty : undefined
      },
    })
    await send()
    expect((await actions()).map(({ status }) => status)).toEqual(['uncertain', 'uncertain'])
    isSlow = false
    await poll()
    expect((await actions()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    expect(server.sent()).toHaveLength(2)
  })

  test('nothing in Sent shows nothing: it stays uncertain, and is never sent again', async () => {
    const { send, poll, server, actions } = await begun(vendor, playAt('send', { status: 503 }), 1)
    await send()
    await poll()
    await send(minutes(600))
    expect((await actions()).map(({ status }) => status)).toEqual(['uncertain'])
    expect(
      server.asked.filter(({ method, path }) => method === 'POST' && path.endsWith('send')),
    ).toHaveLength(1)
  })

  test('a token that runs out in mid-send is renewed, and the mail leaves once', async () => {
    // It is good for what comes before the sending, and not any more for that.
    const last = vendor === 'google' ? 'draft' : 'tag'
    const made = await begun(vendor, { play: (step) => void (step === last && runOut()) }, 1)
    const runOut = () => made.oauth.live.access.delete('first')
    const { server } = made
    await made.send()
    expect((await made.actions()).map(({ status }) => status)).toEqual(['sent'])
    expect([server.sent().length, server.drafts.size, made.oauth.calls.refresh]).toEqual([1, 0, 1])
  })

  test('at its limit the mailbox waits as long as the vendor says, and its leads keep their places', async () => {
    const { send, actions, row } = await begun(
      vendor,
      playAt('draft', { status: 429, headers: { 'retry-after': '5400' } }),
    )
    await send()
    const mailbox = await row()
    expect(mailbox).toMatchObject({ status: 'failing', failing_cause: 'throttled' })
    expect(mailbox.next_try_at).toEqual(minutes(90))
    expect((await actions()).every(({ status, attempts }) => status === 'retry' && attempts === 0)).toBe(true)
  })

  test('a revoked sign-in is told once, offers nothing, and what waited goes on after it', async () => {
    const { send, oauth, server, row, actions, mailbox_id } = await begun(vendor)
    oauth.live.access.clear()
    oauth.live.refresh.clear()
    await send()
    await send(minutes(5))
    expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'signed_out' })
    expect(await db.notification.count({ where: { mailbox_id } })).toBe(1)
    expect(server.sent()).toHaveLength(0)
    await db.mailboxGrant.deleteMany({ where: { mailbox_id } })
    await aGrant(await row(), oauth, { access_token: 'second', access_expires_at: minutes(100_000) })
    await db.mailboxGrant.update({ where: { mailbox_id }, data: { route: 'api' } })
    await send(minutes(200))
    expect((await actions()).every(({ status }) => status === 'sent')).toBe(true)
  })
})
