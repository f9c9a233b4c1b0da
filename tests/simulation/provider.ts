import type { MailOutcome, MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import type { Rng } from '#tests/simulation/random'
import type { Stage } from '#tests/simulation/stage'
import type { Answers } from '#tests/simulation/world'

/** What a provider knows of one offer, whoever lives to hear of it. */
export type Offer = {
  message_id: string
  from: string
  to: string
  /** Read off the message: place of the campaign, and step. */
  campaign: number
  step: number
  /** Whether it was, or may have been, taken. */
  taken: boolean
  outcome: MailOutcome
}

/** A provider of one worker over the log that all share. It answers when the stage says so. */
export function simulatedMail(
  stage: Stage,
  actor: string,
  rng: Rng,
  answers: Answers,
  offered: (offer: Offer) => void,
): MailProvider {
  return {
    send: (_mailbox, message) => {
      const outcome = draw(rng, answers)
      const offer = offerOf(message, outcome)
      stage.say(`${actor} offers ${offer.campaign}/${offer.to}/${offer.step}: ${outcome.outcome}`)
      offered(offer)
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

function draw(rng: Rng, answers: Answers): MailOutcome {
  let rest = rng.next()
  const falls = (share: number) => {
    rest -= share
    return rest < 0 && rest + share >= 0
  }
  if (falls(answers.refused_recipient))
    return { outcome: 'refused_for_good', blames: 'recipient', ...refusal('rcpt', 550) }
  if (falls(answers.refused_sender))
    return { outcome: 'refused_for_good', blames: 'sender', ...refusal('mail', 553) }
  if (falls(answers.refused_message))
    return { outcome: 'refused_for_good', blames: 'message', ...refusal('body', 554) }
  if (falls(answers.refused_for_now))
    return { outcome: 'refused_for_now', blames: 'recipient', ...refusal('rcpt', 450) }
  if (falls(answers.never_left)) return { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' }
  if (falls(answers.auth))
    return { outcome: 'never_left', reason: 'auth', error: '535 authentication failed' }
  if (falls(answers.unknown)) return { outcome: 'unknown', error: 'the connection broke' }
  return { outcome: 'accepted', response: '250 OK', server_message_id: null }
}
