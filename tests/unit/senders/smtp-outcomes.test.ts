import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { aProvider, aSink, mailboxAt, message, PATIENT } from '#tests/support/scenes/smtp'

const IMPATIENT = { ...PATIENT, greeting: 2_000, reply: 2_000 }

describe('what the outcome says when the server fails', () => {
  const never = (reason: string) => ({ outcome: 'never_left', reason })
  const PIPELINING = ['PIPELINING', 'AUTH PLAIN LOGIN', 'SIZE 1000000']

  // Run concurrently: each silence takes a whole timeout.
  test.concurrent.each([
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

  test('one whose answer to RSET never ends holds up nobody, and its connection is not used again', async () => {
    const sink = await aSink({
      play: (at, { connection }) => {
        if (at === 'rcpt' && connection === 1) return { reply: '550 5.1.1 No such user' }
        return at === 'rset' ? { drip: true } : undefined
      },
    })
    const provider = aProvider({ timeouts: { ...PATIENT, end: 200 } })
    const refused = await provider.send(mailboxAt(sink.port), message())
    expect(refused).toMatchObject({ outcome: 'refused_for_good', blames: 'recipient' })
    expect(await provider.send(mailboxAt(sink.port), message())).toMatchObject({ outcome: 'accepted' })
    expect(sink.counts.connections).toBe(2)
  })

  test('nor does one whose answer to QUIT never ends keep its connection', async () => {
    const sink = await aSink({ play: (at) => (at === 'quit' ? { drip: true } : undefined) })
    const provider = aProvider({ timeouts: { ...PATIENT, end: 200 }, pool: { messages: 1 } })
    await provider.send(mailboxAt(sink.port), message())
    await expect.poll(() => sink.open(), { timeout: 60_000 }).toBe(0)
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
