import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { candidatesFor } from '#lib/domain/finder/candidates'
import { silentProvider } from '#lib/domain/finder/mail-servers'
import { learnPatterns, localParts, PATTERNS, type Pattern, PRIOR } from '#lib/domain/finder/patterns'
import { type Facts, judgeAddress, settledConfidence } from '#lib/domain/finder/verdict'
import { readReply } from '#lib/providers/mail-probe/smtp'

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const colleagues = (pattern: Pattern, count: number) =>
  ['Bob Miller', 'Carol Smith', 'Dave Jones', 'Erin Brown', 'Frank Young', 'Grace Stone', 'Hank Moss']
    .slice(0, count)
    .map((name) => {
      const [first_name = '', last_name = ''] = name.split(' ')
      return {
        first_name,
        last_name,
        email: `${PATTERNS[pattern](first_name.toLowerCase(), last_name.toLowerCase())}@acme.com`,
      }
    })

describe('candidates', () => {
  test('what is usual adds up to all', () => {
    expect(Object.values(PRIOR).reduce((sum, one) => sum + one, 0)).toBe(100)
  })

  test('with nothing known, the usual order and a modest confidence', () => {
    const [first, second] = candidatesFor(ada, 'acme.com', learnPatterns([]))
    expect(first).toMatchObject({
      email: 'ada.lovelace@acme.com',
      pattern: 'first.last',
      confidence: 42,
      told: 0,
    })
    expect(second).toMatchObject({ email: 'alovelace@acme.com' })
  })

  test.each<[Pattern, string]>([
    ['flast', 'alovelace@acme.com'],
    ['last.first', 'lovelace.ada@acme.com'],
    ['first', 'ada@acme.com'],
    ['f.last', 'a.lovelace@acme.com'],
  ])('colleagues by %s decide, the more the surer', (pattern, email) => {
    const sure = [2, 4, 7].map((count) => {
      const [best] = candidatesFor(ada, 'acme.com', learnPatterns(colleagues(pattern, count)))
      expect(best).toMatchObject({ email, pattern, seen: count, told: count })
      return best?.confidence ?? 0
    })
    expect(sure).toEqual(sure.toSorted((a, b) => a - b))
    expect(new Set(sure).size).toBe(3)
    expect(sure.at(-1)).toBeLessThanOrEqual(95)
  })

  test('an address that fits two patterns, and one that fits none, teach nothing', () => {
    const known = [
      { first_name: 'A', last_name: 'Smith', email: 'asmith@acme.com' },
      { first_name: 'Bob', last_name: 'Miller', email: 'office7@acme.com' },
    ]
    expect(learnPatterns(known)).toEqual({ told: 0, counts: {} })
  })

  test('names lose what local parts cannot have', () => {
    const locals = (first_name: string, last_name: string) =>
      localParts({ first_name, last_name }).map(({ local }) => local)
    expect(locals('José', "O'Brien")).toContain('jose.obrien')
    expect(locals('Jürgen', 'Müller')).toEqual(expect.arrayContaining(['jurgen.muller', 'juergen.mueller']))
    expect(locals('Anna-Lena', 'van der Berg')).toEqual(
      expect.arrayContaining(['annalena.vanderberg', 'anna-lena.vanderberg']),
    )
    expect(locals('太郎', '山田')).toEqual([])
  })

  test('every candidate is an address, none comes twice, and together they are no surer than sure', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom('Ada', 'Jürgen', 'Anna-Lena', 'de la Cruz', 'ß'),
    )
    const pattern = fc.constantFrom(...(Object.keys(PATTERNS) as Pattern[]))
    fc.assert(
      fc.property(name, name, pattern, fc.integer({ min: 0, max: 7 }), (first_name, last_name, by, count) => {
        const found = candidatesFor(
          { first_name, last_name },
          'acme.com',
          learnPatterns(colleagues(by, count)),
        )
        const emails = found.map(({ email }) => email)
        expect(new Set(emails).size).toBe(emails.length)
        for (const email of emails)
          expect(readEmailCell(email)).toEqual({ kind: 'address', email, others: [] })
        expect(found.reduce((sum, one) => sum + one.confidence, 0)).toBeLessThanOrEqual(100)
      }),
    )
  })
})

describe('verdicts', () => {
  const servers: Facts['route'] = { kind: 'servers', hosts: ['mx.acme.com'] }
  const answered = (
    answer: 'accepted' | 'refused' | 'deferred' | 'failed',
    catch_all: boolean | null = false,
  ) => ({ kind: 'answered', answer, catch_all, response: '550 no' }) as const
  const off = { kind: 'not_asked', why: 'off' } as const

  test.each<[string, Partial<Facts>, string]>([
    ['accepted where others are refused', { probe: answered('accepted') }, 'valid'],
    ['accepted like every name', { probe: answered('accepted', true) }, 'risky'],
    ['accepted, others not known', { probe: answered('accepted', null) }, 'unknown'],
    ['refused', { probe: answered('refused') }, 'invalid'],
    ['put off', { probe: answered('deferred') }, 'unknown'],
    ['no answer', { probe: answered('failed') }, 'unknown'],
    ['not asked', {}, 'unknown'],
    ['a role that exists', { faults: ['role'], probe: answered('accepted') }, 'risky'],
    ['a role nobody asked for', { faults: ['role'] }, 'risky'],
    ['a role that does not exist', { faults: ['role'], probe: answered('refused') }, 'invalid'],
    ['thrown away', { faults: ['disposable'] }, 'risky'],
    ['no domain', { route: { kind: 'no_domain' } }, 'invalid'],
    ['no mail server', { route: { kind: 'none' } }, 'invalid'],
    ['null MX', { route: { kind: 'refuses' } }, 'invalid'],
    ['DNS silent', { route: { kind: 'unknown', error: 'timeout' } }, 'unknown'],
    [
      'DNS silent, thrown away',
      { route: { kind: 'unknown', error: 'timeout' }, faults: ['disposable'] },
      'unknown',
    ],
    ['only an address', { route: { kind: 'implicit', hosts: ['acme.com'] } }, 'unknown'],
  ])('%s', (_, facts, status) => {
    const verdict = judgeAddress({ faults: [], route: servers, probe: off, ...facts })
    expect(verdict.status).toBe(status)
    expect(verdict.reason).toMatch(/^[A-Z].+[.”]$/)
  })

  test('nothing but a server that also refuses makes an address valid, and only a no makes a guess worthless', () => {
    expect(settledConfidence(40, 'valid')).toBe(98)
    expect(settledConfidence(40, 'risky')).toBe(40)
    expect(settledConfidence(40, 'unknown')).toBe(40)
    expect(settledConfidence(40, 'invalid')).toBe(0)
  })

  test.each([
    ['aspmx.l.google.com', 'Google'],
    ['acme-com.mail.protection.outlook.com', 'Microsoft'],
    ['mta5.am0.yahoodns.net.', 'Yahoo'],
    ['eu-smtp-inbound-1.mimecast.com', 'Mimecast'],
    ['mx.acme.com', null],
    ['google.com.acme.com', null],
    ['notgoogle.com', null],
  ])('%s is of %s', (host, provider) => {
    expect(silentProvider(host)).toBe(provider)
  })

  test.each([
    [250, '250 2.1.5 OK', 'accepted'],
    [251, '251 will forward', 'accepted'],
    [252, '252 cannot verify', 'failed'],
    [550, '550 5.1.1 User unknown', 'refused'],
    [550, '550 No such user here', 'refused'],
    [553, '553 mailbox name not allowed', 'failed'],
    [550, '550 5.7.1 Blocked, see Spamhaus', 'failed'],
    [554, '554 your IP is on our block list', 'failed'],
    [450, '450 4.2.0 Greylisted', 'deferred'],
    [452, '452 4.2.2 Mailbox full', 'deferred'],
    [552, '552 5.2.2 Mailbox full', 'deferred'],
    [0, 'The server closed the connection', 'failed'],
  ])('%i %s', (code, text, answer) => {
    expect(readReply({ code, text }).answer).toBe(answer)
  })
})
