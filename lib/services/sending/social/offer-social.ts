import type { Pool } from 'pg'
import { socialObstacle } from '#lib/domain/campaigns/social-step'
import type { Outcome } from '#lib/domain/sending/outcome'
import { timedProvider } from '#lib/metrics'
import {
  type SocialAccountRef,
  type SocialAction,
  type SocialActionResult,
  type SocialOutcome,
  type SocialProvider,
  SocialReadError,
} from '#lib/providers/social/port'
import { TOO_LATE } from '#lib/providers/too-late'
import { storedNetwork } from '#lib/services/senders/social-provider'
import type { Gate } from '#lib/services/sending/failure-gate'
import { type KnownPerson, knownPerson, meetPerson, nameLead } from '#lib/services/sending/people'
import type { SocialComposed } from '#lib/services/sending/social/compose-social'

export type SocialDrivers = (driver: string) => SocialProvider

/**
 * Offers social actions, one at a time per account, as a person would act. Each offer first looks up who the lead is and whether
 * the step still applies to them. That needs the network, so it happens after the claim is committed.
 */
export function createSocialOffers(pool: Pool, drivers: SocialDrivers, clock: () => Date, gate: Gate) {
  const last = new Map<string, Promise<unknown>>()
  return (action: SocialComposed, mayLeave: () => boolean): Promise<Outcome> => {
    const before = last.get(action.account.account_id) ?? Promise.resolve()
    const mine = before.then(() => gate(action, () => offer(pool, drivers, action, { clock, mayLeave })))
    last.set(
      action.account.account_id,
      mine.catch(() => undefined),
    )
    return mine
  }
}

async function offer(
  pool: Pool,
  drivers: SocialDrivers,
  action: SocialComposed,
  { clock, mayLeave }: { clock: () => Date; mayLeave: () => boolean },
): Promise<Outcome> {
  const { account, problem } = action
  if (problem) return { outcome: 'refused_for_good', response: problem, blames: 'message' }
  let provider: SocialProvider
  try {
    provider = drivers(account.driver)
  } catch {
    return {
      outcome: 'never_left',
      response: 'This instance has no provider for this account.',
      sender_fault: 'misconfigured',
    }
  }
  const ref = { provider_account_id: account.provider_account_id, network: storedNetwork(account) }
  let person: KnownPerson
  try {
    const answer = await whoIs(pool, provider, ref, action, clock())
    if ('outcome' in answer) return answer
    person = answer
  } catch (error) {
    if (!(error instanceof SocialReadError)) throw error
    return unread(error)
  }
  if (!mayLeave()) return { outcome: 'never_left', response: TOO_LATE }
  const outcome = await timedProvider('social', () =>
    provider.act(ref, toAction(action, person), action.action_id),
  )
  return toOutcome(outcome, person)
}

/** The person, if the step applies to them. Stored knowledge may be outdated, so before a no the network is asked again. */
async function whoIs(
  pool: Pool,
  provider: SocialProvider,
  ref: SocialAccountRef,
  action: SocialComposed,
  now: Date,
): Promise<KnownPerson | Outcome> {
  const { account, config, lead } = action
  if (!lead.social_profile) return notForLead('The row has no profile.')
  const stored = await knownPerson(pool, account, lead)
  const obstacle = (person: KnownPerson) => socialObstacle(config, person, account.provider)
  let person = stored
  if (!person || obstacle(person) !== null)
    person = await meetPerson(pool, provider, { ref, account, profile: lead.social_profile }, now)
  await nameLead(pool, { action_id: action.action_id, account_id: account.account_id, lead }, person)
  const reason = obstacle(person)
  return reason === null ? person : { ...notForLead(reason), sender_worked: true }
}

const notForLead = (response: string): Outcome => ({ outcome: 'not_for_lead', response })

function unread({ reason, message, retry_after_seconds }: SocialReadError): Outcome {
  switch (reason) {
    case 'not_found':
      return {
        outcome: 'not_for_lead',
        response: `The network found nobody with this profile: ${message}`,
        unreachable: true,
        sender_worked: true,
      }
    case 'rate_limited':
      return resting(message, retry_after_seconds ?? null)
    default:
      return neverLeft(message, reason === 'account_gone')
  }
}

/** An account that must be signed in to again is lost, and the provider says so; any other fault may pass by itself. */
const neverLeft = (response: string, sender_rejected: boolean): Outcome => ({
  outcome: 'never_left',
  response,
  sender_rejected,
  ...(!sender_rejected && { sender_fault: 'unreachable' }),
})

/** The network throttles the account: for as long as it says, or until a later try succeeds. */
const resting = (response: string, seconds: number | null): Outcome => ({
  outcome: 'refused_for_now',
  response,
  blames: 'sender',
  ...(seconds ? { retry_after_ms: seconds * 1_000 } : { sender_fault: 'throttled' }),
})

function toAction(action: SocialComposed, person: KnownPerson): SocialAction {
  const { text, subject, config } = action
  const { provider_id, chat_id, invitation_id } = person
  const { action_type } = config
  switch (action_type) {
    case 'message':
      return { provider_id, action_type, text: text ?? '', chat_id }
    case 'inmail':
      return { provider_id, action_type, text: text ?? '', subject }
    case 'comment_post':
      return { provider_id, action_type, text: text ?? '' }
    case 'connection_request':
      return { provider_id, action_type, note: text }
    case 'withdraw_invitation':
      return { provider_id, action_type, invitation_id }
    case 'email':
      throw new Error('mail is not offered to a social network')
    default:
      return { provider_id, action_type }
  }
}

function toOutcome(said: SocialOutcome<SocialActionResult>, { provider_id }: KnownPerson): Outcome {
  switch (said.outcome) {
    case 'accepted':
      return {
        outcome: 'accepted',
        response: said.response,
        social: { provider_id, ...said.result },
        sender_worked: true,
      }
    case 'refused_for_now':
      if (said.blames === 'sender') return resting(said.response, said.retry_after_seconds ?? null)
      return {
        outcome: 'refused_for_now',
        response: said.response,
        blames: said.blames,
        retry_after_ms: (said.retry_after_seconds ?? 0) * 1_000,
        sender_worked: true,
      }
    case 'refused_for_good':
      return {
        outcome: 'refused_for_good',
        response: said.response,
        blames: said.blames,
        sender_worked: true,
      }
    case 'never_left':
      return neverLeft(said.response, said.sender_rejected)
    default:
      return { ...said, sender_worked: true }
  }
}
