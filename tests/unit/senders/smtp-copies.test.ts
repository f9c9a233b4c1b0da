import { describe, expect, test } from 'vitest'
import { composeMail } from '#lib/providers/mail/compose'
import { aProvider, aSink, mailboxAt, message } from '#tests/support/scenes/smtp'

const person = (address: string) => ({ name: null, address })
const COPIES = {
  cc: [{ name: 'Bob, of Sales', address: 'bob@lead.test' }, person('eve@lead.test')],
  bcc: [person('crm@own.test')],
}
const ALL = ['grace@lead.test', 'bob@lead.test', 'eve@lead.test', 'crm@own.test']

describe.each([
  ['one command at a time', ['AUTH PLAIN', 'SIZE 1000000']],
  ['all commands at once', ['PIPELINING', 'AUTH PLAIN', 'SIZE 1000000']],
])('%s', (_how, extensions) => {
  const refusing = (who: string) =>
    aSink({
      extensions,
      play: (stage, { command }) =>
        stage === 'rcpt' && command.includes(who) ? { reply: '550 5.1.1 No such user' } : undefined,
    })

  test('one message goes to all of them, and names all but those of Bcc', async () => {
    const sink = await aSink({ extensions })
    const outcome = await aProvider().send(mailboxAt(sink.port), message(COPIES))
    expect(outcome).toMatchObject({ outcome: 'accepted', response: '250 2.0.0 Queued' })
    expect(sink.messages).toHaveLength(1)
    expect(sink.messages[0]?.to).toEqual(ALL)
    const raw = sink.messages[0]?.raw ?? ''
    expect(raw).toMatch(/^Cc: "Bob, of Sales" <bob@lead\.test>, eve@lead\.test\r$/m)
    expect(raw).not.toContain('crm@own.test')
    expect(raw).not.toMatch(/^bcc:/im)
  })

  test.each(['grace@lead.test', 'bob@lead.test'])(
    'where %s is refused it is given to nobody',
    async (who) => {
      const sink = await refusing(who)
      const provider = aProvider()
      const outcome = await provider.send(mailboxAt(sink.port), message(COPIES))
      expect(outcome).toMatchObject({ outcome: 'refused_for_good', stage: 'rcpt', code: 550 })
      expect(outcome).toMatchObject({ response: expect.stringContaining(who) })
      expect(sink.messages).toEqual([])
      // The connection is still usable for the next message.
      const next = await provider.send(mailboxAt(sink.port), message({ to: person('ok@lead.test') }))
      expect(next.outcome).toBe('accepted')
    },
  )

  test('a refused Bcc keeps nobody’s from leaving, and is told', async () => {
    const sink = await refusing('crm@own.test')
    const outcome = await aProvider().send(mailboxAt(sink.port), message(COPIES))
    expect(outcome).toMatchObject({
      outcome: 'accepted',
      response: '250 2.0.0 Queued Not taken for crm@own.test: 550 5.1.1 No such user',
    })
    expect(sink.messages[0]?.to).toEqual(ALL.slice(0, 3))
  })

  test('alone the recipient is refused as ever', async () => {
    const sink = await refusing('grace@lead.test')
    const outcome = await aProvider().send(mailboxAt(sink.port), message({ bcc: COPIES.bcc }))
    expect(outcome).toMatchObject({ outcome: 'refused_for_good', stage: 'rcpt', blames: 'recipient' })
    expect(sink.messages).toEqual([])
  })
})

test('the same person twice is one recipient', async () => {
  const sink = await aSink()
  await aProvider().send(mailboxAt(sink.port), message({ bcc: [person('grace@lead.test')] }))
  expect(sink.messages[0]?.to).toEqual(['grace@lead.test'])
})

test('a copy for the Sent folder says nothing of Bcc', () => {
  expect(composeMail(message(COPIES)).toString()).not.toContain('crm@own.test')
})
