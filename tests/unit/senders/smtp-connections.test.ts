import { describe, expect, test } from 'vitest'
import { aProvider, aSink, mailboxAt, message, PATIENT } from '#tests/support/scenes/smtp'

const IMPATIENT = { ...PATIENT, greeting: 2_000, reply: 2_000 }

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

  test('more mailboxes than are written to at once keep their connections, and sign in once each', async () => {
    const sink = await aSink({ delay_ms: 5 })
    const provider = aProvider({ pool: { at_work: 2, total: 8 } })
    const sendToAll = () =>
      Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          provider.send(mailboxAt(sink.port, { username: `user${i}` }), message()),
        ),
      )
    for (const outcome of [...(await sendToAll()), ...(await sendToAll())])
      expect(outcome.outcome).toBe('accepted')
    expect(sink.counts.connections).toBe(8)
  })

  test('no more carry a message at once than may, however many are kept', async () => {
    let atWork = 0
    let most = 0
    const sink = await aSink({
      delay_ms: 5,
      play: (at) => {
        if (at === 'mail') most = Math.max(most, ++atWork)
        if (at === 'body') atWork--
        return undefined
      },
    })
    const provider = aProvider({ pool: { per_mailbox: 2, at_work: 2, total: 8 } })
    const sends = Array.from({ length: 12 }, (_, i) =>
      provider.send(mailboxAt(sink.port, { username: `user${i % 4}` }), message()),
    )
    for (const outcome of await Promise.all(sends)) expect(outcome.outcome).toBe('accepted')
    expect(most).toBe(2)
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
