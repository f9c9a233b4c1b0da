import { afterAll, afterEach, expect, test } from 'vitest'
import { TestMailbox } from '#lib/contracts/senders/mailboxes'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { db } from '#lib/db/client'
import { DbNull } from '#lib/db/json'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { createWebhook } from '#lib/services/telling/webhooks'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { minutes } from '#tests/support/scenes/launched'
import { aSink } from '#tests/support/scenes/smtp'
import type { ImapFault } from '#tests/support/servers/imap'
import { anImapServer, closeImapServers, connectImap, pollImap } from '#tests/support/servers/imap-mailbox'
import type { SinkOptions } from '#tests/support/servers/smtp'

process.env.ALLOW_PRIVATE_HOSTS = 'true'
afterEach(closeImapServers)
afterAll(closeMailProvider)

/** A mailbox whose SMTP and IMAP servers run on this machine. */
async function aMailboxAt(fault: ImapFault = {}, options: SinkOptions = {}) {
  const owner = await aUser()
  const sink = await aSink(options)
  const imap = await anImapServer({ INBOX: { uid_validity: 1, mails: [] } }, fault)
  const { mailbox_id, address } = await aMailbox(owner, { port: sink.port })
  await connectImap(mailbox_id, imap.port)
  const where = { mailbox_id }
  return {
    owner,
    mailbox_id,
    address,
    sink,
    imap,
    test: async () => (await call(TestMailbox, { as: owner, params: where })).body,
    row: () => db.mailbox.findUniqueOrThrow({ where }),
    set: (data: object) => db.mailbox.update({ where, data }),
    told: () => db.notification.findMany({ where, orderBy: { created_at: 'asc' } }),
  }
}

/** Its incoming server refuses the sign-in for as long as `says.no` is set. */
function refusing() {
  const says = { no: true }
  const fault: ImapFault = {
    play: (command) =>
      says.no && /^(LOGIN|AUTHENTICATE)/.test(command)
        ? 'NO [AUTHENTICATIONFAILED] Invalid credentials'
        : undefined,
  }
  return { says, fault }
}
const WORKS = { ok: true, cause: null, error: null }

test('both servers are tested, and nothing is read or sent', async () => {
  const { test, imap, sink, row } = await aMailboxAt()
  expect(await test()).toMatchObject({ ok: true, error: null, smtp: WORKS, imap: WORKS })
  expect(imap.commands.some((command) => /FETCH|SEARCH|^SELECT/.test(command))).toBe(false)
  expect(sink.messages).toEqual([])
  expect(await row()).toMatchObject({ status: 'connected', inbox_error: null, inbox_failing_since: null })
})

test('where the incoming server alone refuses, it can send, and what is wrong with the other is said', async () => {
  const { says, fault } = refusing()
  const { test, row, set } = await aMailboxAt(fault)
  const refused = await test()
  expect(refused).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Incoming emails cannot be read: .*Invalid credentials/),
    smtp: WORKS,
    imap: { ok: false, cause: 'sign_in', error: expect.stringContaining('Invalid credentials') },
  })
  expect(JSON.stringify(refused)).not.toContain('secret')
  const before = await row()
  expect(before).toMatchObject({ status: 'connected', failing_cause: null, inbox_error: refused.imap?.error })
  expect(before.inbox_failing_since).not.toBeNull()

  says.no = false
  await set({ inbox_due_at: null })
  expect(await test()).toMatchObject({ ok: true, imap: WORKS })
  const after = await row()
  expect(after).toMatchObject({ inbox_error: null, inbox_failing_since: null })
  // Mail that arrived meanwhile is read at once.
  expect(after.inbox_due_at).not.toBeNull()
})

test('a mailbox that waits for its incoming mail waits until both servers let it in', async () => {
  const { says, fault } = refusing()
  const { test, row, set } = await aMailboxAt(fault)
  await set({ ...FAILING, failing_cause: 'unreadable' })
  expect(await test()).toMatchObject({ ok: false, smtp: WORKS })
  expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'unreadable' })
  says.no = false
  expect(await test()).toMatchObject({ ok: true })
  expect(await row()).toMatchObject({ status: 'connected', failing_cause: null })
})

test('a mailbox without an incoming server has only the other to test', async () => {
  const { test, set } = await aMailboxAt()
  await set({ imap: DbNull })
  expect(await test()).toMatchObject({ ok: true, smtp: WORKS, imap: null })
})

test('one that can send and cannot be read is told of once for each time', async () => {
  const { says, fault } = refusing()
  const { mailbox_id, address, owner, row, told } = await aMailboxAt(fault)
  const { workspace_id } = owner
  const url = 'https://hooks.example.com/'
  await createWebhook(
    workspace_id,
    CreateWebhook.body.parse({ url, event_types: ['mailbox.unread'] }),
    minutes(0),
  )
  await pollImap([mailbox_id], minutes(0))
  await pollImap([mailbox_id], minutes(30))
  expect(await row()).toMatchObject({ status: 'connected', inbox_failing_since: minutes(0) })
  const notices = await told()
  expect(notices).toMatchObject([
    { kind: 'mailbox_unread', data: { address, reason: expect.stringContaining('Invalid credentials') } },
  ])
  expect(JSON.stringify(notices)).not.toContain('secret')

  says.no = false
  await pollImap([mailbox_id], minutes(40))
  expect((await row()).inbox_failing_since).toBeNull()
  says.no = true
  await pollImap([mailbox_id], minutes(50))
  expect(await told()).toHaveLength(2)
  const events = await db.webhookEvent.findMany({ where: { workspace_id }, orderBy: { at: 'asc' } })
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    [
      'mailbox.unread',
      {
        mailbox_id,
        address,
        since: minutes(0).toISOString(),
        error: expect.stringContaining('Invalid credentials'),
      },
    ],
    ['mailbox.unread', expect.objectContaining({ mailbox_id, since: minutes(50).toISOString() })],
  ])
})

test('a server that is away for a moment is not told of, and one that stays away is', async () => {
  const { mailbox_id, told } = await aMailboxAt({ play: () => 'drop' })
  for (const minute of [0, 10]) await pollImap([mailbox_id], minutes(minute))
  expect(await told()).toEqual([])
  for (const minute of [20, 30]) await pollImap([mailbox_id], minutes(minute))
  expect(await told()).toMatchObject([{ kind: 'mailbox_unread' }])
})

test('one that cannot send either was told of already', async () => {
  const { mailbox_id, set, told } = await aMailboxAt(refusing().fault)
  await set(FAILING)
  await pollImap([mailbox_id], minutes(0))
  expect(await told()).toEqual([])
})

const ALIAS = 'sales@company.test'

test('a server is asked whether it lets the mailbox send as another address, and is given no message', async () => {
  const { test, set, sink, row, address } = await aMailboxAt()
  await set({ aliases: [ALIAS], send_as: ALIAS })
  expect(await test()).toMatchObject({ ok: true, smtp: WORKS })
  expect(sink.commands.filter((line) => /^(MAIL|RCPT|DATA)/.test(line))).toEqual([
    expect.stringContaining(`FROM:<${ALIAS}>`),
    expect.stringContaining(`TO:<${address}>`),
    'DATA',
  ])
  expect(sink.messages).toEqual([])
  expect((await row()).last_checked_at).not.toBeNull()
})

test.each([
  ['mail', '550 5.7.60 Client does not have permissions to send as this sender'],
  ['rcpt', '553 5.7.1 Sender address rejected: not owned by user ana'],
] as const)(
  'one that does not, at its answer to %s, is a fault of the mailbox, in its words',
  async (at, reply) => {
    const { test, set, sink, row, told } = await aMailboxAt(
      {},
      { play: (stage) => (stage === at ? { reply } : undefined) },
    )
    expect(await test()).toMatchObject({ ok: true })
    await set({ aliases: [ALIAS], send_as: ALIAS })
    expect((await test()).smtp).toMatchObject({
      ok: false,
      cause: 'refused',
      error: expect.stringMatching(new RegExp(`^The server does not allow sending as ${ALIAS}: ${reply}`)),
    })
    expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'refused' })
    expect((await told()).map(({ kind }) => kind)).toEqual(['mailbox_failing'])
    expect(sink.messages).toEqual([])
  },
)

test('what passes, and a recipient that it does not take, say nothing of the address', async () => {
  for (const reply of ['451 4.7.1 Try again later', '550 5.1.1 No such user']) {
    const { test, set } = await aMailboxAt(
      {},
      { play: (stage) => (stage === 'rcpt' ? { reply } : undefined) },
    )
    await set({ aliases: [ALIAS], send_as: ALIAS })
    expect(await test()).toMatchObject({ ok: true, smtp: WORKS })
  }
})
