import type { MailOutcome, MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import { tooLate } from '#lib/providers/mail/reply'
import { admit, type Vault } from '#tests/simulation/grants/vault'
import type { Rng } from '#tests/simulation/worlds/random'
import type { Answers } from '#tests/simulation/worlds/spec'
import type { Stage } from '#tests/simulation/worlds/stage'

const UNREACHABLE = { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' } as const

const HOUR_MS = 3_600_000
const NOT_MET = { broke: null, outcome: null }

/** What a provider knows of one offer, even if our process died before it heard the outcome. */
export type Offer = {
  channel: 'email' | 'social'
  /** Of a social action: its id in the ledger, and its lead. */
  action_id: string | null
  lead: string | null
  message_id: string | null
  from: string
  to: string
  /** Read from the message: index of the campaign, and step. */
  campaign: number
  step: number
  /** Whether the provider accepted it, or may have. */
  taken: boolean
  outcome: { outcome: string; blames?: string }
  /** What the vendor objects to about the token or the draft that came with it. */
  broke?: string | null
}

/** Whether two offers are for the same step of the same lead. */
export const sameStep = (a: Omit<Offer, 'outcome'>, b: Omit<Offer, 'outcome'>): boolean =>
  a.channel === b.channel &&
  a.step === b.step &&
  (a.channel === 'social' ? a.lead === b.lead : a.campaign === b.campaign && a.to === b.to)

/** Whether the offer belongs to this ledger row. */
export const isOf = (offer: Offer, row: { action_id: string; message_id: string | null }): boolean =>
  offer.channel === 'social' ? offer.action_id === row.action_id : offer.message_id === row.message_id

/** Before an offer, the machine may sleep for longer than any lease; null: it does not sleep. */
export type Nap = (actor: string, label: string) => Promise<void> | null

export const naps =
  (stage: Stage, rng: Rng, often: number): Nap =>
  (actor, label) => {
    if (!actor.startsWith('worker') || !rng.chance(often)) return null
    const ms = rng.pick([60_000, 20 * 60_000, 3 * HOUR_MS, 9 * HOUR_MS, 30 * HOUR_MS])
    const { promise, resolve } = Promise.withResolvers<void>()
    const give = () => {
      stage.clock.now += ms
      resolve()
    }
    stage.cues.push({ actor, label: `sleeps ${ms / 60_000} min ${label}`, give })
    return promise
  }

/** The mail provider of one worker, over the log that all share. It answers when the stage says so. */
export function simulatedMail(
  stage: Stage,
  actor: string,
  rng: Rng,
  { answers, down, vault, nap }: { answers: Answers; down: ReadonlySet<string>; vault: Vault; nap: Nap },
  offered: (offer: Offer) => void,
): MailProvider {
  const last = new Map<string, Offer>()
  return {
    send: async (mailbox, message, mayLeave = () => true) => {
      await nap(actor, `before it offers to ${message.to.address}`)
      if (!mayLeave()) {
        stage.say(`${actor} is too late for ${message.to.address}`)
        // The outcome of the previous offer, such as a refused token, is not the outcome of the action.
        const before = last.get(message.message_id)
        if (before) before.outcome = { outcome: 'late' }
        return tooLate()
      }
      const isDown = down.has(message.from.address)
      const { broke, outcome: barred } = isDown ? NOT_MET : admit(vault, mailbox, message)
      const outcome = isDown ? UNREACHABLE : (barred ?? draw(rng, answers))
      const offer = { ...offerOf(message, outcome), broke }
      // Where the outcome is unknown, the mail was sent or not.
      if (outcome.outcome === 'unknown' && vault.rng.chance(0.5)) vault.sent.add(message.message_id)
      stage.say(`${actor} offers ${offer.campaign}/${offer.to}/${offer.step}: ${outcome.outcome}`)
      offered(offer)
      last.set(message.message_id, offer)
      const { promise, resolve } = Promise.withResolvers<MailOutcome>()
      stage.cues.push({ actor, label: `hears ${offer.to}/${offer.step}`, give: () => resolve(outcome) })
      return promise
    },
    verify: async () => ({ ok: true }),
    close: async () => undefined,
  }
}

function offerOf(message: OutgoingMail, outcome: MailOutcome): Offer {
  const [, campaign = '-1', step = '-1'] = /\[\[(\d+) (\d+)\]\]/.exec(message.text) ?? []
  return {
    channel: 'email',
    action_id: null,
    lead: null,
    message_id: message.message_id,
    from: message.from.address,
    to: message.to.address,
    campaign: Number(campaign),
    step: Number(step),
    taken: outcome.outcome === 'accepted' || outcome.outcome === 'unknown',
    outcome,
  }
}

const refusal = (stage: 'mail' | 'rcpt' | 'body', code: number) => ({
  stage,
  code,
  enhanced: null,
  response: `${code} ${stage}`,
})

/** Returns a function that tells, for one share after another, whether the draw fell into it. */
export function draws(rng: Rng): (share: number) => boolean {
  let rest = rng.next()
  return (share) => {
    rest -= share
    return rest < 0 && rest + share >= 0
  }
}

function draw(rng: Rng, answers: Answers): MailOutcome {
  const falls = draws(rng)
  if (falls(answers.refused_recipient))
    return { outcome: 'refused_for_good', blames: 'recipient', ...refusal('rcpt', 550) }
  if (falls(answers.refused_sender))
    return { outcome: 'refused_for_good', blames: 'sender', ...refusal('mail', 553) }
  if (falls(answers.refused_message))
    return { outcome: 'refused_for_good', blames: 'message', ...refusal('body', 554) }
  if (falls(answers.refused_for_now))
    return { outcome: 'refused_for_now', blames: 'recipient', ...refusal('rcpt', 450) }
  if (falls(answers.never_left)) return UNREACHABLE
  if (falls(answers.auth))
    return { outcome: 'never_left', reason: 'auth', error: '535 authentication failed' }
  if (falls(answers.unknown)) return { outcome: 'unknown', error: 'the connection broke' }
  return { outcome: 'accepted', response: '250 OK', server_message_id: null }
}
