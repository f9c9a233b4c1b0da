import {
  type SocialAction,
  type SocialActionResult,
  type SocialOutcome,
  type SocialPerson,
  type SocialProvider,
  SocialReadError,
  type SocialRelation,
} from '#lib/providers/social/port'
import type { ActionRow, Ledger } from '#tests/simulation/checks/ledger'
import { draws, type Nap, type Offer } from '#tests/simulation/worlds/provider'
import type { Rng } from '#tests/simulation/worlds/random'
import type { NetworkAnswers } from '#tests/simulation/worlds/spec'
import type { Stage } from '#tests/simulation/worlds/stage'

type Standing = { relation: SocialRelation; chat_id: string | null }
/** The real relations between accounts and people, whether or not the product knows them. */
export type Network = Map<string, Standing>

const key = (account: string, person: string) => `${account} ${person}`
export const standing = (network: Network, account: string, person: string): Standing =>
  network.get(key(account, person)) ?? { relation: 'none', chat_id: null }
export function stand(network: Network, account: string, person: string, now: Partial<Standing>): void {
  network.set(key(account, person), { ...standing(network, account, person), ...now })
}

type Said = SocialOutcome<SocialActionResult>
const UNREACHABLE: Said = { outcome: 'never_left', response: 'ECONNREFUSED', sender_rejected: false }
type Hands = {
  network: Network
  rng: Rng
  answers: NetworkAnswers
  down: ReadonlySet<string>
  ledger: Ledger
  places: Map<string, number>
  offered(offer: Offer): void
  nap: Nap
}

const unused = (): never => {
  throw new Error('This network takes actions and accounts only.')
}

/** The network as one actor reaches it. A worker gets answers when the stage says so; the owner gets them at once. */
export function simulatedNetwork(stage: Stage, actor: string, hands: Hands): SocialProvider {
  const { network, rng, answers } = hands
  const hear = <T>(label: string, answer: () => T): Promise<T> => {
    if (!actor.startsWith('worker')) return Promise.resolve().then(answer)
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.cues.push({ actor, label, give: resolve })
    return promise.then(answer)
  }
  return {
    name: 'sandbox',
    authLink: unused,
    account: (provider_account_id) =>
      hear(`hears how ${provider_account_id} is`, () => ({
        provider_account_id,
        network: 'linkedin',
        status: 'connected',
        status_reason: null,
        name: provider_account_id,
        handle: null,
        avatar_url: null,
        kind: 'premium',
      })),
    disconnect: ({ provider_account_id }) =>
      hear(`hears that ${provider_account_id} is forgotten`, () => undefined),
    publish: unused,
    deletePost: unused,
    recentPosts: unused,
    postMetrics: unused,
    messages: unused,
    connections: unused,
    events: unused,
    person: async ({ provider_account_id }, identifier) => {
      await hands.nap(actor, `before it hears who ${identifier} is`)
      return hear(`hears who ${identifier} is`, () => personOf(hands, provider_account_id, identifier))
    },
    act: ({ provider_account_id: from }, action, reference) => {
      const said = hands.down.has(from) ? UNREACHABLE : draw(rng, answers, resultOf(from, action, reference))
      const row = hands.ledger.actions.get(reference)
      const offer = offerOf(action, from, row, said, hands.places)
      stage.say(`${actor} offers ${action.action_type} ${from}/${offer.to}/${offer.step}: ${said.outcome}`)
      // A message by the owner is no step of a campaign.
      if (actor.startsWith('worker')) hands.offered(offer)
      if (said.outcome === 'accepted' || (said.outcome === 'unknown' && rng.chance(0.5)))
        carryOut(network, from, action)
      return hear(`hears of ${action.action_type} ${offer.to}/${offer.step}`, () => said)
    },
  }
}

function personOf({ network, rng, answers, down }: Hands, account: string, identifier: string): SocialPerson {
  if (down.has(account)) throw new SocialReadError('unavailable', 'ECONNREFUSED')
  const handle = identifier.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const falls = draws(rng)
  if (falls(answers.unread * 0.5)) throw new SocialReadError('unavailable', 'ECONNREFUSED')
  if (falls(answers.unread * 0.4)) throw new SocialReadError('rate_limited', 'too much', 3_600)
  if (falls(answers.unread * 0.1)) throw new SocialReadError('account_gone', 'signed out')
  if (handle.endsWith('nobody')) throw new SocialReadError('not_found', 'nobody is called so')
  const provider_id = `id-${handle}`
  const { relation } = standing(network, account, provider_id)
  const invitation_id = relation === 'invited' ? `inv-${handle}` : null
  return { provider_id, handle, name: handle, headline: null, avatar_url: null, relation, invitation_id }
}

function offerOf(
  action: SocialAction,
  from: string,
  row: ActionRow | undefined,
  said: Said,
  places: Map<string, number>,
): Offer {
  const text = 'text' in action ? action.text : 'note' in action ? action.note : null
  // An action without text names no campaign: the ledger's values are used.
  const [, campaign = places.get(row?.campaign_id ?? '') ?? -1, step = row?.step ?? -1] =
    /\[\[(\d+) (\d+)\]\]/.exec(text ?? '') ?? []
  return {
    channel: 'social',
    action_id: row?.action_id ?? null,
    lead: row?.campaign_lead_id ?? null,
    message_id: null,
    from,
    to: action.provider_id,
    campaign: Number(campaign),
    step: Number(step),
    taken: said.outcome === 'accepted' || said.outcome === 'unknown',
    outcome: said,
  }
}

function carryOut(network: Network, from: string, { action_type, provider_id }: SocialAction) {
  const { relation } = standing(network, from, provider_id)
  if (action_type === 'connection_request' && relation === 'none')
    stand(network, from, provider_id, { relation: 'invited' })
  if (action_type === 'withdraw_invitation' && relation === 'invited')
    stand(network, from, provider_id, { relation: 'none' })
  // A message to a known chat names no person.
  const isBegun = (action_type === 'message' || action_type === 'inmail') && provider_id !== ''
  if (isBegun) stand(network, from, provider_id, { chat_id: `chat-${from}-${provider_id}` })
}

function resultOf(
  from: string,
  { action_type, provider_id }: SocialAction,
  reference: string,
): SocialActionResult {
  const talks = action_type === 'message' || action_type === 'inmail'
  return {
    chat_id: talks ? `chat-${from}-${provider_id}` : null,
    message_id: talks ? `said-${reference}` : null,
    invitation_id: action_type === 'connection_request' ? `inv-${provider_id}` : null,
  }
}

function draw(rng: Rng, answers: NetworkAnswers, result: SocialActionResult): Said {
  const falls = draws(rng)
  const no = (blames: 'recipient' | 'sender' | 'message') => ({
    code: null,
    response: `no: ${blames}`,
    blames,
  })
  const later = (seconds: number | null, blames: 'recipient' | 'sender'): Said => ({
    outcome: 'refused_for_now',
    retry_after_seconds: seconds,
    ...no(blames),
  })
  if (falls(answers.refused_recipient)) return { outcome: 'refused_for_good', ...no('recipient') }
  if (falls(answers.refused_sender)) return { outcome: 'refused_for_good', ...no('sender') }
  if (falls(answers.refused_message)) return { outcome: 'refused_for_good', ...no('message') }
  if (falls(answers.rest)) return later(rng.pick([60, 3_600, 90_000]), 'sender')
  if (falls(answers.refused_for_now)) return later(rng.pick([null, 600]), 'recipient')
  if (falls(answers.never_left)) return UNREACHABLE
  if (falls(answers.signed_out))
    return { outcome: 'never_left', response: 'signed out', sender_rejected: true }
  if (falls(answers.unknown)) return { outcome: 'unknown', response: 'the connection broke' }
  return { outcome: 'accepted', response: 'Done.', result }
}
