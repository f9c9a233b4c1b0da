import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import {
  answeringAddress,
  areAliasesDue,
  isOwnAddress,
  listAddresses,
  MAX_ALIASES,
  readAliases,
  sendingAddress,
} from '#lib/domain/messages/own-addresses'

const ANA = { address: 'ana@company.test', aliases: ['sales@company.test', 'ana@other.test'] }
const SALES = { ...ANA, send_as: 'sales@company.test' }

test.each([
  [ANA, 'ana@company.test'],
  [{ ...ANA, send_as: null }, 'ana@company.test'],
  [SALES, 'sales@company.test'],
])('sends as the address that was chosen, else as its own (%#)', (mailbox, from) =>
  expect(sendingAddress(mailbox)).toBe(from),
)

test.each([
  ['ana@company.test', true],
  ['Sales@Company.test', true],
  ['gone@company.test', false],
  ['ana+x@company.test', false],
])('%s is one of its own: %s', (from, is) => expect(isOwnAddress(ANA, from)).toBe(is))

test('what is named is kept once, in lower case, without its own address and what is none', () => {
  const named = ['SALES@company.test', ' sales@company.test ', 'Ana@Company.test', 'no address', 'x@y@z', '']
  expect(readAliases(ANA.address, named)).toEqual(['sales@company.test'])
  const many = Array.from({ length: MAX_ALIASES + 1 }, (_, at) => `a${at}@company.test`)
  expect(readAliases(ANA.address, many)).toHaveLength(MAX_ALIASES)
})

describe('an answer comes from', () => {
  const none = { written_to: [], wrote_last: null }
  test.each([
    ['the address that was written to', ANA, { ...none, written_to: ['Ana@other.test'] }, 'ana@other.test'],
    [
      'the first, where several of its own were written to',
      SALES,
      { ...none, written_to: ['ana@company.test', 'sales@company.test'] },
      'ana@company.test',
    ],
    [
      'whoever wrote last, where none of its own was',
      SALES,
      { written_to: ['list@elsewhere.test'], wrote_last: 'ana@company.test' },
      'ana@company.test',
    ],
    [
      'its usual one, where that is nobody’s any more',
      ANA,
      { written_to: ['gone@company.test'], wrote_last: 'gone@company.test' },
      'ana@company.test',
    ],
    [
      'its own, though the one that it sends as is lost',
      { ...ANA, send_as: 'gone@company.test' },
      { ...none, written_to: ['gone@company.test', 'ana@company.test'] },
      'ana@company.test',
    ],
  ])('%s', (_, mailbox, said, from) => expect(answeringAddress(mailbox, said)).toBe(from))
})

test('a provider is asked hourly where mail leaves under an alias, else daily', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const due = (read_at: Date | null, send_as: string | null) => areAliasesDue({ read_at, send_as }, now)
  expect([due(null, null), due(ago(59), 'x@y.z'), due(ago(60), 'x@y.z')]).toEqual([true, false, true])
  expect([due(ago(1_439), null), due(ago(1_440), null)]).toEqual([false, true])
})

const address = fc.constantFrom(...['a', 'b', 'c', 'd'].map((name) => `${name}@company.test`))

test('an answer never leaves under an address that is not the mailbox’s own, unless it sends as a lost one', () => {
  fc.assert(
    fc.property(
      fc.record({ address, aliases: fc.array(address), send_as: fc.option(address) }),
      fc.record({ written_to: fc.array(address), wrote_last: fc.option(address) }),
      (mailbox, said) => {
        const from = answeringAddress(mailbox, said)
        expect(isOwnAddress(mailbox, from) || from === mailbox.send_as).toBe(true)
        expect(listAddresses(mailbox)).toContain(mailbox.address)
      },
    ),
  )
})

test('all of a message is of the address in From: its name, and where one unsubscribes', () => {
  const mail = buildMailMessage({
    action_id: '0193a1b2-c3d4-7abc-8def-0123456789ab',
    rendered: { subject: 'Hello', text: 'A word.', html: '<p>A word.</p>' },
    sender: { ...ANA, send_as: 'ana@other.test', name: 'Ana' },
    recipient: { address: 'ada@lead.test' },
    date: new Date(0),
    thread: [],
    unsubscribe: { url: 'https://opener.test/u', token: 'u1.t' },
  })
  expect(mail.from).toEqual({ name: 'Ana', address: 'ana@other.test' })
  expect(mail.message_id).toBe('<0193a1b2-c3d4-7abc-8def-0123456789ab@other.test>')
  expect(mail.headers['List-Unsubscribe']).toContain('mailto:ana@other.test?')
  expect(JSON.stringify(mail)).not.toContain('company.test')
})
