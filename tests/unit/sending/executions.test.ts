import { describe, expect, test } from 'vitest'
import { forecast } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { rngOf } from '#tests/simulation/worlds/random'
import { load, type Paper } from '#tests/support/doubles/paper-dispatcher'
import { type Losing, paperEngine } from '#tests/support/doubles/paper-engine'
import { paperInstance, type Slot } from '#tests/support/doubles/paper-instance'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAYS = 30
const FROM = Date.UTC(2026, 2, 2, 0, 30)
const UNTIL = FROM + DAYS * 24 * HOUR
/** The default of WAKE_PAUSE_SECONDS. */
const PAUSE = 45 * SECOND

/** A typical campaign: two steps, office hours, workdays. */
const paper = (name: string, leads: number, daily_limit: number, mailboxes: number): Paper => ({
  campaign: {
    campaign_id: name,
    timezone: 'Europe/Paris',
    sending_window_start: '09:00:00',
    sending_window_end: '18:00:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    daily_limit,
    min_interval_seconds: 60,
    steps_config: [0, 3].map((delay_days) => ({ delay_days, channel: 'email', action_type: 'email' })),
    launched_at: FROM,
  },
  pace: FRESH_PACE,
  senders: Array.from({ length: mailboxes }, (_, index) => aSender(`mailbox-${index}`)),
  owner_timezone: 'Europe/Paris',
  new_leads: Array.from({ length: leads }, (_, index) => index),
  waiting: [],
})

/** The instants at which the dispatcher would act. */
function slotsOf(campaign: Paper): Slot[] {
  const { at, step, lead_index } = runToEnd(
    forecast({ ...load(campaign, Number.MAX_SAFE_INTEGER), starts_at: FROM }),
  )
  return Array.from(at, (instant, index) => ({
    at: instant,
    mailbox: (lead_index[index] ?? 0) % campaign.senders.length,
    is_follow_up: step[index] === 2,
  }))
}

function play(slots: Slot[], mailboxes: number, loses: Losing = () => false) {
  const rng = rngOf(20, 'mail')
  // Three leads in a hundred reply, within minutes or days.
  const answer = () => (rng.chance(0.03) ? rng.pick([MINUTE, 20 * MINUTE, 3 * HOUR, 30 * HOUR]) : null)
  const instance = paperInstance(slots, mailboxes, FROM, answer)
  const engine = paperEngine(instance.works, { pause_ms: PAUSE, loses, lateMs: () => rng.int(100, 2_000) })
  engine.ring(FROM)
  const { bells, sweeps } = engine.play(FROM, UNTIL)
  return { ...instance.said, bells, sweeps, executions: bells + sweeps }
}

describe('in thirty days', () => {
  test('an instance at rest costs at most 5,000 executions', () => {
    const { executions, sweeps, checks, late_reads } = play([], 5)
    expect(sweeps).toBe(DAYS * 24)
    expect(checks).toBeGreaterThanOrEqual(DAYS - 1)
    expect(executions).toBeLessThanOrEqual(1_000)
    expect(late_reads).toBeLessThanOrEqual(MINUTE)
  })

  test.each([
    ['one campaign of 10,000 mails', 1, 5_000],
    ['ten campaigns of 1,000 mails, side by side', 10, 500],
  ])('%s costs at most 20,000, and nothing is later than a minute', (_, campaigns, leads) => {
    const slots = Array.from({ length: campaigns }, (__, index) =>
      slotsOf(paper(`campaign-${index}`, leads, 540 / campaigns, 10)),
    )
      .flat()
      .toSorted((a, b) => a.at - b.at)
    expect(slots).toHaveLength(10_000)
    expect(slots.at(-1)?.at).toBeLessThan(UNTIL)
    const { executions, sent, latest, late_reads, stale, digests } = play(slots, 10)
    expect(sent).toBe(10_000)
    expect(digests).toBeGreaterThan(50)
    expect(stale).toBe(0)
    expect(latest).toBeLessThanOrEqual(MINUTE)
    expect(late_reads).toBeLessThanOrEqual(MINUTE)
    expect(executions).toBeLessThanOrEqual(20_000)
  })

  test.each([
    ['each tenth event', 0.1],
    ['every event', 1],
  ])('with %s lost the sweep makes everything good within an hour', (_, share) => {
    const rng = rngOf(7, 'turns')
    const slots = slotsOf(paper('campaign', 5_000, 540, 10))
    const { sent, latest, stale } = play(slots, 10, () => rng.chance(share))
    expect(sent).toBe(10_000)
    expect(stale).toBe(0)
    expect(latest).toBeLessThanOrEqual(HOUR + 2 * MINUTE)
  })
})
