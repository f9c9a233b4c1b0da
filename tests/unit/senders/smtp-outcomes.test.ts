import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { MailboxConnection, MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import { createSmtpProvider, type SmtpProviderOptions } from '#lib/providers/mail/smtp'
import { createSmtpSink, type SinkOptions, type SmtpSink } from '#tests/support/servers/smtp'

const opened: { sinks: SmtpSink[]; providers: MailProvider[] } = { sinks: [], providers: [] }

afterEach(async () => {
  for (const provider of opened.providers.splice(0)) await provider.close()
  for (const sink of opened.sinks.splice(0)) await sink.close()
})

async function aSink(options?: SinkOptions) {
  const sink = await createSmtpSink(options)
  opened.sinks.push(sink)
  return sink
}

/** An answer comes, however busy the machine; silence is waited for. */
const PATIENT = { connect: 60_000, greeting: 60_000, reply: 60_000, send: 90_000 }
const IMPATIENT = { ...PATIENT, greeting: 2_000, reply: 2_000 }

function aProvider(options: Partial<SmtpProviderOptions> = {}) {
  const provider = createSmtpProvider({
    policy: { allow_private_hosts: true },
    timeouts: PATIENT,
    ...options,
  })
  opened.providers.push(provider)
  return provider
}

const mailboxAt = (port: number, over: Partial<MailboxConnection> = {}): MailboxConnection => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: 'ada',
  password: 'secret-word',
  ...over,
})

const message = (over: Partial<OutgoingMail> = {}): OutgoingMail => ({
  from: { name: 'Ada', address: 'ada@sender.test' },
  to: { name: 'Grace', address: 'grace@lead.test' },
  reply_to: null,
  subject: 'Hello',
  date: new Date('2026-03-02T09:00:00Z'),
  message_id: '<0190-1@sender.test>',
  in_reply_to: null,
  references: [],
  headers: {},
  text: 'Hello Grace\n.a line that starts with a dot\n',
  html: '<p>Hello Grace</p>',
  ...over,
})

describe('what the outcome says when the server fails', () => {
  const never = (reason: string) => ({ outcome: 'never_left', reason })
  const PIPELINING = ['PIPELINING', 'AUTH PLAIN LOGIN', 'SIZE 1000000']

  test.each([
    { at: 'drops before the banner', stage: 'banner', play: { drop: true }, expected: never('connect') },
    { at: 'never says its banner', stage: 'banner', play: { hang: true }, expected: never('connect') },
    {
      at: 'turns us away in the banner',
      stage: 'banner',
      play: { reply: '554 No', drop: true },
      expected: never('connect'),
    },
    {
      at: '421 as banner',
      stage: 'banner',
      play: { reply: '421 Busy', drop: true },
      expected: never('connect'),
    },
    { at: 'drops at EHLO', stage: 'ehlo', play: { drop: true }, expected: never('connect') },
    { at: 'hangs at EHLO', stage: 'ehlo', play: { hang: true }, expected: never('connect') },
    { at: '421 at EHLO', stage: 'ehlo', play: { reply: '421 Bye', drop: true }, expected: never('connect') },
    { at: 'drops at AUTH', stage: 'auth', play: { drop: true }, expected: never('connect') },
    { at: 'hangs at AUTH', stage: 'auth', play: { hang: true }, expected: never('connect') },
    { at: '421 at AUTH', stage: 'auth', play: { reply: '421 Bye', drop: true }, expected: never('connect') },
    {
      at: 'cannot check the password now',
      stage: 'auth',
      play: { reply: '454 4.7.0 Later' },
      expected: never('connect'),
    },
    { at: 'refuses the password', stage: 'auth', play: { reply: '535 5.7.8 Bad' }, expected: never('auth') },
    {
      at: 'wants another way to sign in',
      stage: 'auth',
      play: { reply: '534 5.7.9 App password' },
      expected: never('auth'),
    },
    { at: 'drops at MAIL', stage: 'mail', play: { drop: true }, expected: never('lost') },
    { at: 'hangs at MAIL', stage: 'mail', play: { hang: true }, expected: never('lost') },
    { at: '530 at MAIL', stage: 'mail', play: { reply: '530 5.7.0 Sign in' }, expected: never('auth') },
    {
      at: '550 at MAIL',
      stage: 'mail',
      play: { reply: '550 5.1.8 Bad sender' },
      expected: {
        outcome: 'refused_for_good',
        stage: 'mail',
        code: 550,
        enhanced: '5.1.8',
        blames: 'sender',
      },
    },
    {
      at: '421 at MAIL',
      stage: 'mail',
      play: { reply: '421 4.7.0 Slow down', drop: true },
      expected: { outcome: 'refused_for_now', stage: 'mail', code: 421, enhanced: '4.7.0' },
    },
    { at: 'drops at RCPT', stage: 'rcpt', play: { drop: true }, expected: never('lost') },
    { at: 'hangs at RCPT', stage: 'rcpt', play: { hang: true }, expected: never('lost') },
    {
      at: '550 at RCPT',
      stage: 'rcpt',
      play: { reply: '550 5.1.1 No such user' },
      expected: {
        outcome: 'refused_for_good',
        stage: 'rcpt',
        code: 550,
        enhanced: '5.1.1',
        blames: 'recipient',
      },
    },
    {
      at: 'policy refusal at RCPT',
      stage: 'rcpt',
      play: { reply: '550 5.7.1 Relaying denied' },
      expected: {
        outcome: 'refused_for_good',
        stage: 'rcpt',
        code: 550,
        enhanced: '5.7.1',
        blames: 'sender',
      },
    },
    {
      at: 'greylisting at RCPT',
      stage: 'rcpt',
      play: { reply: '451 4.7.1 Greylisted' },
      expected: { outcome: 'refused_for_now', stage: 'rcpt', code: 451, enhanced: '4.7.1' },
    },
    {
      at: '421 at RCPT',
      stage: 'rcpt',
      play: { reply: '421 Too many', drop: true },
      expected: { outcome: 'refused_for_now', code: 421, enhanced: null },
    },
    { at: 'drops at DATA', stage: 'data', play: { drop: true }, expected: never('lost') },
    { at: 'hangs at DATA', stage: 'data', play: { hang: true }, expected: never('lost') },
    {
      at: '554 at DATA',
      stage: 'data',
      play: { reply: '554 5.5.1 No valid recipients' },
      expected: { outcome: 'refused_for_good', stage: 'data', code: 554, blames: 'message' },
    },
    {
      at: '421 at DATA',
      stage: 'data',
      play: { reply: '421 4.3.2 Shutting down', drop: true },
      expected: { outcome: 'refused_for_now', stage: 'data', code: 421 },
    },
    {
      at: 'drops inside the message',
      stage: 'body_begun',
      play: { drop: true },
      expected: { outcome: 'unknown' },
    },
    {
      at: 'drops after the final dot',
      stage: 'body',
      play: { drop: true },
      expected: { outcome: 'unknown' },
    },
    {
      at: 'hangs after the final dot',
      stage: 'body',
      play: { hang: true },
      expected: { outcome: 'unknown' },
    },
    {
      at: 'answers nonsense to the message',
      stage: 'body',
      play: { reply: '354 Eh?' },
      expected: { outcome: 'unknown' },
    },
    {
      at: 'refuses the message',
      stage: 'body',
      play: { reply: '550 5.7.1 Spam' },
      expected: {
        outcome: 'refused_for_good',
        stage: 'body',
        code: 550,
        enhanced: '5.7.1',
        blames: 'message',
      },
    },
    {
      at: 'defers the message',
      stage: 'body',
      play: { reply: '452 4.3.1 Disk full' },
      expected: { outcome: 'refused_for_now', stage: 'body', code: 452, enhanced: '4.3.1' },
    },
    {
      at: '421 to the message',
      stage: 'body',
      play: { reply: '421 4.7.0 Rate limit', drop: true },
      expected: { outcome: 'refused_for_now', stage: 'body', code: 421 },
    },
    {
      at: 'a full mailbox found out late',
      stage: 'body',
      play: { reply: '552 5.2.2 Over quota' },
      expected: { outcome: 'refused_for_good', stage: 'body', blames: 'recipient' },
    },
  ] as const)('$at: $expected.outcome', async ({ stage, play, expected }) => {
    const timeouts = 'hang' in play ? IMPATIENT : PATIENT
    const meet = async (extensions?: string[]) => {
      const sink = await aSink({
        ...(extensions && { extensions }),
        play: (at) => (at === stage ? play : undefined),
      })
      expect(await aProvider({ timeouts }).send(mailboxAt(sink.port), message())).toMatchObject(expected)
      expect(sink.messages).toEqual([])
    }
    await Promise.all([meet(), meet(PIPELINING)])
  })

  test('a message taken by a server that drops without a reply is unknown, and is offered once', async () => {
    let taken = 0
    const sink = await aSink({ play: (at) => (at === 'body' ? { drop: true } : undefined) })
    taken += sink.commands.length
    expect(await aProvider().send(mailboxAt(sink.port), message())).toMatchObject({ outcome: 'unknown' })
    expect(sink.commands.slice(taken).filter((line) => line === 'DATA')).toHaveLength(1)
  })

  test('a server that answers each step in time but takes for ever is cut off', async () => {
    const sink = await aSink({
      play: (at) =>
        at === 'mail' || at === 'rcpt' || at === 'body' ? { delay_ms: 250, reply: '250 OK' } : undefined,
    })
    const provider = aProvider({ timeouts: { ...PATIENT, send: 300 } })
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ outcome: 'never_left' })
  })

  test('no server there: never left', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const address = free.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await new Promise((resolve) => free.close(resolve))
    expect(await aProvider().send(mailboxAt(port), message())).toMatchObject(never('connect'))
  })

  test('a message larger than the server takes, or to no address, is refused for good without asking', async () => {
    const sink = await aSink({ extensions: ['SIZE 200', 'AUTH PLAIN'] })
    const provider = aProvider()
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({
      outcome: 'refused_for_good',
      code: null,
      blames: 'message',
    })
    const nowhere = message({
      to: { name: null, address: 'a@b.test>\r\nRCPT TO:<c@d.test' },
      text: '',
      html: '',
    })
    const outcome = await provider.send(mailboxAt((await aSink()).port), nowhere)
    expect(outcome).toMatchObject({ outcome: 'refused_for_good', code: null, blames: 'recipient' })
  })
})

describe('what the server is given', () => {
  test('the message, once, to one recipient, with its own headers and nothing that names us', async () => {
    const sink = await aSink()
    const mail = message({
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      in_reply_to: '<first@sender.test>',
      references: ['<first@sender.test>'],
    })
    const outcome = await aProvider().send(mailboxAt(sink.port), mail)

    expect(outcome).toEqual({ outcome: 'accepted', response: '250 2.0.0 Queued', server_message_id: null })
    const [received] = sink.messages
    expect(sink.messages).toHaveLength(1)
    expect(received).toMatchObject({ from: 'ada@sender.test', to: ['grace@lead.test'] })
    const headers =
      received?.raw
        .split('\r\n\r\n')[0]
        ?.replace(/\r\n\s+/g, ' ')
        .split('\r\n') ?? []
    expect(headers).toEqual(
      expect.arrayContaining([
        'From: Ada <ada@sender.test>',
        'To: Grace <grace@lead.test>',
        'Message-ID: <0190-1@sender.test>',
        'In-Reply-To: <first@sender.test>',
        'References: <first@sender.test>',
        'Date: Mon, 02 Mar 2026 09:00:00 +0000',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ]),
    )
    expect(received?.raw).not.toMatch(/nodemailer|X-Mailer|_NmP|opener/i)
    expect(received?.raw).toContain('\r\n.a line that starts with a dot')
  })

  test('equal input gives equal bytes', async () => {
    const sink = await aSink()
    const provider = aProvider()
    await provider.send(mailboxAt(sink.port), message())
    await provider.send(mailboxAt(sink.port), message())
    expect(sink.messages[0]?.raw).toBe(sink.messages[1]?.raw)
  })

  test('a mailbox that demands encryption never speaks its password in the clear', async () => {
    const sink = await aSink()
    const outcome = await aProvider().send(mailboxAt(sink.port, { security: 'starttls' }), message())
    expect(outcome).toMatchObject({ outcome: 'never_left', reason: 'tls' })
    expect(sink.commands.join('\n')).not.toMatch(/AUTH|MAIL/)
    const overTls = await aProvider().send(mailboxAt(sink.port, { security: 'tls' }), message())
    expect(overTls).toMatchObject({ outcome: 'never_left' })
  })

  test('a server that offers no way to sign in to a mailbox with a password', async () => {
    const sink = await aSink({ extensions: ['SIZE 1000000'] })
    const provider = aProvider()
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ reason: 'auth' })
    const open = mailboxAt(sink.port, { username: null, password: null })
    expect(await provider.send(open, message())).toMatchObject({ outcome: 'accepted' })
  })

  test('no password ever appears in an outcome', async () => {
    const sink = await aSink({ play: (at) => (at === 'auth' ? { reply: '535 5.7.8 Bad' } : undefined) })
    const outcome = await aProvider().send(mailboxAt(sink.port), message())
    const secret = Buffer.from('\0ada\0secret-word').toString('base64')
    expect(JSON.stringify(outcome)).not.toMatch(/secret-word/)
    expect(JSON.stringify(outcome)).not.toContain(secret)
  })
})

describe('the pool', () => {
  test('fifty messages go out over at most four connections', async () => {
    const sink = await aSink({ delay_ms: 5 })
    const provider = aProvider()
    const sends = Array.from({ length: 50 }, (_, i) =>
      provider.send(mailboxAt(sink.port), message({ message_id: `<${i}@sender.test>` })),
    )
    for (const outcome of await Promise.all(sends)) expect(outcome.outcome).toBe('accepted')
    expect(sink.messages).toHaveLength(50)
    expect(new Set(sink.messages.map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1])).size).toBe(50)
    expect(sink.counts.connections).toBeLessThanOrEqual(4)
  })

  test('a refused recipient leaves the connection fit for the next message', async () => {
    const sink = await aSink({
      play: (at, { command }) =>
        at === 'rcpt' && command.includes('bad@') ? { reply: '550 5.1.1 No' } : undefined,
    })
    const provider = aProvider()
    const bad = await provider.send(
      mailboxAt(sink.port),
      message({ to: { name: null, address: 'bad@lead.test' } }),
    )
    const good = await provider.send(mailboxAt(sink.port), message())
    expect([bad.outcome, good.outcome]).toEqual(['refused_for_good', 'accepted'])
    expect(sink.counts.connections).toBe(1)
    expect(sink.messages.map(({ to }) => to)).toEqual([['grace@lead.test']])
  })

  test.each([{ drop: true }, { reply: '421 4.4.2 Idle too long', drop: true }])(
    'a kept connection that died of idleness is replaced unseen (%o)',
    async (play) => {
      const sink = await aSink({
        play: (at, { connection, messages }) =>
          at === 'mail' && connection === 1 && messages === 1 ? play : undefined,
      })
      const provider = aProvider()
      await provider.send(mailboxAt(sink.port), message())
      const second = await provider.send(mailboxAt(sink.port), message())
      expect(second.outcome).toBe('accepted')
      expect(sink.messages.map(({ connection }) => connection)).toEqual([1, 2])
    },
  )

  test('a break after the message was offered is never answered by a second offer', async () => {
    const sink = await aSink({
      play: (at, { messages }) => (at === 'body' && messages === 1 ? { drop: true } : undefined),
    })
    const provider = aProvider()
    await provider.send(mailboxAt(sink.port), message())
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ outcome: 'unknown' })
    expect(sink.commands.filter((line) => line === 'DATA')).toHaveLength(2)
  })

  test('connections are closed when idle, and replaced after their share of messages', async () => {
    const sink = await aSink()
    const provider = aProvider({ pool: { idle_ms: 30, messages: 2 } })
    for (let i = 0; i < 3; i++) await provider.send(mailboxAt(sink.port), message())
    expect(sink.counts.connections).toBe(2)
    await expect.poll(() => sink.open()).toBe(0)
  })

  test('all mailboxes together stay under the total, and none waits for ever on another’s idle connection', async () => {
    const sink = await aSink({ delay_ms: 5 })
    const provider = aProvider({ pool: { per_mailbox: 2, total: 3 } })
    const sends = Array.from({ length: 24 }, (_, i) =>
      provider.send(mailboxAt(sink.port, { username: `user${i % 8}` }), message()),
    )
    for (const outcome of await Promise.all(sends)) expect(outcome.outcome).toBe('accepted')
    // A connection that was told QUIT may still be closing while the next one opens.
    expect(sink.counts.peak).toBeLessThanOrEqual(6)
  })

  test('a message that gets no connection in time never left', async () => {
    const sink = await aSink({ play: (at) => (at === 'body' ? { hang: true } : undefined) })
    const provider = aProvider({ pool: { per_mailbox: 1, wait_ms: 50 }, timeouts: IMPATIENT })
    const held = provider.send(mailboxAt(sink.port), message())
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ reason: 'busy' })
    expect((await held).outcome).toBe('unknown')
  })

  test('closing lets what is under way finish and refuses what comes after', async () => {
    const sink = await aSink({ delay_ms: 50 })
    const provider = aProvider()
    const underWay = provider.send(mailboxAt(sink.port), message())
    await expect.poll(() => sink.commands.includes('DATA')).toBe(true)
    await provider.close()
    expect((await underWay).outcome).toBe('accepted')
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ reason: 'closed' })
    await expect.poll(() => sink.open()).toBe(0)
  })
})

describe('verifying a mailbox', () => {
  test('signs in and sends nothing', async () => {
    const sink = await aSink()
    expect(await aProvider().verify(mailboxAt(sink.port))).toEqual({ ok: true })
    expect(sink.commands.join('\n')).not.toContain('MAIL')
  })

  test('says that the password is wrong', async () => {
    const sink = await aSink({ play: (at) => (at === 'auth' ? { reply: '535 5.7.8 Wrong' } : undefined) })
    expect(await aProvider().verify(mailboxAt(sink.port))).toMatchObject({ ok: false, reason: 'auth' })
  })

  test('a private host is not connected to unless it is the operator’s own endpoint', async () => {
    const sink = await aSink()
    const guarded = aProvider({ policy: { allow_private_hosts: false } })
    expect(await guarded.verify(mailboxAt(sink.port))).toMatchObject({ ok: false, reason: 'blocked' })
    expect(sink.counts.connections).toBe(0)
    const sandbox = aProvider({
      policy: { allow_private_hosts: false, allowed_endpoints: [{ host: '127.0.0.1', port: sink.port }] },
    })
    expect(await sandbox.verify(mailboxAt(sink.port, { host: 'localhost' }))).toEqual({ ok: true })
  })
})
