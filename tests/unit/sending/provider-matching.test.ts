import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RECIPIENT_PROVIDERS, type RecipientProvider } from '#lib/domain/domains/recipient-provider'
import { forecast } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { planDispatch } from '#lib/domain/sending/dispatch-policy'
import type { DispatchInput } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import {
  isMatch,
  type MatchedProvider,
  matchedSenders,
  sendingProvider,
} from '#lib/domain/sending/provider-matching'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { load, type Paper, type Performed, runToTheEnd } from '#tests/support/doubles/paper-dispatcher'
import { ALWAYS_OPEN, anyPaper, aSender } from '#tests/support/scenes/campaign-arbitraries'

const campaign = ALWAYS_OPEN
const FROM = campaign.launched_at
type Boxes = Record<string, MatchedProvider | null>
const matchingOf = (boxes: Boxes, leads: (RecipientProvider | null)[]) => ({
  senders: matchedSenders(Object.entries(boxes).map(([sender_id, provider]) => ({ sender_id, provider }))),
  leads: new Map(leads.flatMap((provider, index) => (provider ? [[index, provider] as const] : []))),
})
const paper = (
  boxes: Boxes,
  leads: (RecipientProvider | null)[],
  over: Record<string, Partial<Sender>> = {},
): Paper => ({
  campaign,
  pace: FRESH_PACE,
  senders: Object.keys(boxes).map((id) => aSender(id, { daily_limit: 1_000, ...over[id] })),
  matching: matchingOf(boxes, leads),
  owner_timezone: 'UTC',
  new_leads: Array.from(leads.keys()),
  waiting: [],
})
const takers = (performed: Performed[]) =>
  performed.toSorted((a, b) => a.lead_index - b.lead_index).map(({ sender_id }) => sender_id)
const BOXES: Boxes = { a: null, g: 'google', m: 'microsoft' }

test.each<[string | null, string, MatchedProvider | null]>([
  ['google', 'anything.example', 'google'],
  ['microsoft', 'smtp.gmail.com', 'microsoft'],
  [null, 'smtp-relay.gmail.com', 'google'],
  [null, 'SMTP.Office365.com', 'microsoft'],
  [null, 'smtp-mail.outlook.com', 'microsoft'],
  [null, 'smtp.gmail.com.example.org', null],
  ['sandbox', '127.0.0.1', null],
  [null, 'smtp.mail.yahoo.com', null],
])('a mailbox that %s granted and that sends over %s is with %s', (vendor, host, provider) => {
  expect(sendingProvider(vendor, host)).toBe(provider)
})

describe('a new lead goes to', () => {
  test('a mailbox of its own provider, and whoever is elsewhere to the one with the most room', () => {
    const start = paper(BOXES, ['google', 'microsoft', 'google', 'microsoft', 'yahoo', null], {
      a: { daily_limit: 900 },
      g: { daily_limit: 10 },
      m: { daily_limit: 10 },
    })
    expect(takers(runToTheEnd(start, FROM, 50))).toEqual(['g', 'm', 'g', 'm', 'a', 'a'])
  })

  test('any other where those of its provider are full, and none of them waits', () => {
    const start = paper(BOXES, ['google', 'google', 'google'], { g: { daily_limit: 1 } })
    const performed = runToTheEnd(start, FROM, 50)
    expect(takers(performed)).toEqual(['g', 'a', 'm'])
    expect(performed.at(-1)?.at).toBeLessThan(FROM + 3 * 72_000)
  })

  test('any other while the one of its provider is within its interval', () => {
    const start = paper(BOXES, ['google', 'google', 'google'], { g: { min_interval_seconds: 120 } })
    expect(takers(runToTheEnd(start, FROM, 50))).toEqual(['g', 'a', 'g'])
  })

  test('the one of its provider that has the most room, of several', () => {
    const boxes: Boxes = { g1: 'google', g2: 'google', m: 'microsoft' }
    const start = paper(boxes, Array(5).fill('google'), { g2: { daily_limit: 1_001 } })
    expect(takers(runToTheEnd(start, FROM, 50))).toEqual(['g2', 'g1', 'g2', 'g1', 'g2'])
  })

  test('its provider’s before a member whose turn it is, and who makes up for it', () => {
    const start = paper(BOXES, ['google', 'google', 'yahoo', 'yahoo'])
    start.rotation = {
      members: new Map([
        ['a', ['ana']],
        ['g', ['gil']],
        ['m', ['ana']],
      ]),
      shares: {},
    }
    expect(takers(runToTheEnd(start, FROM, 50))).toEqual(['g', 'g', 'a', 'm'])
  })
})

test('a lead whose mailbox paused for its provider goes to another, and none is put off', () => {
  const input: DispatchInput = {
    ...load(paper(BOXES, ['google']), 10),
    provider_pauses: {
      until: new Map([['g', new Map([['google', FROM + 1]])]]),
      providers: new Map([[0, 'google']]),
    },
  }
  const plan = planDispatch(input, FROM, 10)
  expect([plan.put_off, plan.actions.map(({ sender_id }) => sender_id)]).toEqual([[], ['a']])
})

test('a lead in progress keeps its mailbox, wherever that is', () => {
  const start = paper(BOXES, ['google'])
  const kept = { lead_index: 0, step: 1, due_at: FROM, mailbox_id: 'm', account_id: null }
  expect(takers(runToTheEnd({ ...start, new_leads: [], waiting: [kept] }, FROM, 5))).toEqual(['m'])
})

test('nobody is asked about where all mailboxes are alike', () => {
  expect(matchingOf({ a: 'google', b: 'google' }, []).senders.size).toBe(0)
  expect(matchingOf({ a: null, b: null }, []).senders.size).toBe(0)
  expect([...matchingOf({ a: null, b: 'google' }, []).senders]).toEqual([['b', 'google']])
})

test('the same lead gets the same mailbox, however small the claims, and only a mailbox that is free', () => {
  fc.assert(
    fc.property(anyPaper, fc.integer({ min: 1, max: 4 }), (start, cap) => {
      const by = (performed: Performed[]) => performed.map((one) => JSON.stringify(one)).sort()
      const whole = runToTheEnd({ ...start }, start.starts_at, Number.MAX_SAFE_INTEGER)
      expect(by(runToTheEnd({ ...start }, start.starts_at, cap))).toEqual(by(whole))
    }),
    { numRuns: 400 },
  )
})

const provider = fc.constantFrom<MatchedProvider | null>('google', 'microsoft', null)
const recipient = fc.constantFrom<RecipientProvider | null>(...RECIPIENT_PROVIDERS, null)

test('a lead gets a mailbox of another provider only where its own provider’s have no room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ provider, limit: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.array(recipient, { minLength: 1, maxLength: 12 }),
      (boxes, leads) => {
        const made: Boxes = Object.fromEntries(boxes.map((box, index) => [`box-${index}`, box.provider]))
        const limits = boxes.map(({ limit }, index) => [`box-${index}`, { daily_limit: limit }])
        const start = paper(made, leads, Object.fromEntries(limits))
        const used = new Map<string, number>()
        const firstDay = runToTheEnd({ ...start }, FROM, 50).filter(({ at }) => at < FROM + 14 * 3_600_000)
        for (const { lead_index, sender_id } of firstDay.toSorted((a, b) => a.at - b.at)) {
          const matching = start.matching ?? null
          const open = [...start.senders].filter(
            (one) =>
              isMatch(matching, one.sender_id, lead_index) &&
              (used.get(one.sender_id) ?? 0) < (one.daily_limit ?? 0),
          )
          if (open.length > 0) expect(open.map((one) => one.sender_id)).toContain(sender_id)
          used.set(sender_id, (used.get(sender_id) ?? 0) + 1)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('matching moves no lead to another instant where every mailbox has room', () => {
  const start = paper(BOXES, ['google', 'microsoft', 'google', null, 'yahoo'])
  const { matching: _, ...byRoom } = start
  const times = (one: Paper) => runToEnd(forecast({ ...load(one, 100), starts_at: FROM })).at
  expect(times(start)).toEqual(times(byRoom))
})
