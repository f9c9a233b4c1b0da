import type { InventedPerson } from '#lib/domain/sandbox/history/people'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The outcome of a lead: after which step, how much later, and its text if it replied. */
export type Fate = {
  ended: 'replied' | 'bounced' | 'unsubscribed' | 'away'
  step: number
  after_ms: number
  said?: (to: InventedPerson) => string
}

/**
 * One in nine replies, one in sixty bounces or unsubscribes, as in a good campaign. Assigned by position modulo sixty, so that
 * every list has some of each and looks the same each time.
 */
const FATES: Readonly<Record<number, Fate>> = {
  4: {
    ended: 'replied',
    step: 1,
    after_ms: 95 * MINUTE,
    said: () =>
      'That sounds interesting. Could you send me two dates for next week, and what it would cost for a team of twelve?',
  },
  9: { ended: 'bounced', step: 1, after_ms: 20_000 },
  13: {
    ended: 'away',
    step: 1,
    after_ms: 2 * MINUTE,
    said: () =>
      'I am out of the office today and read no mail until tomorrow. In urgent cases please call the front desk.',
  },
  19: {
    ended: 'replied',
    step: 2,
    after_ms: 5 * HOUR,
    said: ({ company }) => `Thank you, but we are not interested at ${company}.`,
  },
  24: {
    ended: 'replied',
    step: 1,
    after_ms: 26 * HOUR,
    said: () => 'Let us talk: would Thursday at 10:00 work for a call? I will bring a colleague.',
  },
  31: { ended: 'unsubscribed', step: 2, after_ms: 3 * HOUR },
  37: {
    ended: 'replied',
    step: 1,
    after_ms: 7 * HOUR,
    said: () => 'Not now, the budget for this year is spent. Please write again in three months.',
  },
  43: {
    ended: 'replied',
    step: 2,
    after_ms: 50 * MINUTE,
    said: ({ company }) => `I am the wrong person for this, I left purchasing at ${company} last year.`,
  },
  46: {
    ended: 'replied',
    step: 1,
    after_ms: 35 * MINUTE,
    said: () =>
      'Good timing, we are just looking for this. Please send me more information and a price list.',
  },
  49: {
    ended: 'replied',
    step: 1,
    after_ms: 3 * HOUR,
    said: ({ email }) =>
      `Please contact my colleague Nadia Ferrer instead, she decides about this: nadia.ferrer@${email.split('@')[1]}`,
  },
  52: {
    ended: 'unsubscribed',
    step: 1,
    after_ms: 4 * HOUR,
    said: () => 'Please remove me from your list and do not contact me again.',
  },
  55: {
    ended: 'replied',
    step: 3,
    after_ms: 40 * MINUTE,
    said: () => 'You are persistent, and I am interested. Please send me more information.',
  },
}

export const drawFate = (place: number): Fate | null => FATES[place % 60] ?? null
