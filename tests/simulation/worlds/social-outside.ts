import { pool } from '#lib/db/client'
import { SOCIAL_ACTION_TYPES } from '#lib/domain/social/social-limits'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { updateConnectedAccount } from '#lib/services/social/connected-accounts'
import { sendSocialMessage } from '#lib/services/social/messages'
import { noteConnected } from '#lib/services/social/people'
import { Violation } from '#tests/simulation/checks/violation'
import { isOver } from '#tests/simulation/checks/witness'
import { accountOutage } from '#tests/simulation/worlds/outages'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'
import { connection, deletion } from '#tests/simulation/worlds/social-accounts'
import { stand, standing } from '#tests/simulation/worlds/social-network'
import { someCap } from '#tests/simulation/worlds/social-world'

const KINDS = [
  'chat',
  'chat',
  'accept',
  'accept',
  'accept',
  'accept',
  'signed out',
  'outage',
  'direct',
  'direct',
  'caps',
  'delete',
  'connect',
] as const

/** Anything that people, the network or an owner may do around accounts. Null where it does not apply to the current state. */
export function anySocialEvent(outside: Outside): OutsideEvent | null {
  const { rng, scene } = outside
  const kind = rng.pick(KINDS)
  if (kind === 'accept') return acceptance(outside)
  if (kind === 'chat') return answer(outside)
  if (kind === 'direct') return direct(outside)
  if (kind === 'connect') return connection(outside)
  const { account_id, name } = rng.pick(scene.accounts)
  if (kind === 'outage') return accountOutage(outside, { account_id, name })
  if (kind === 'delete') return deletion(outside, { account_id, name })
  if (kind === 'signed out') {
    const isForGood = rng.chance(0.3)
    return {
      actor: 'inbound',
      label: `${name} is signed out${isForGood ? ' for good' : ''}`,
      work: (now) => {
        if (isForGood) outside.given_up.add(account_id)
        return loseAccount(outside.inbound, account_id, 'signed out', now)
      },
    }
  }
  const limits = { [rng.pick(SOCIAL_ACTION_TYPES)]: someCap(rng) }
  const changes = { limits, min_interval_seconds: rng.pick([0, 60, 7_200]) }
  return {
    actor: 'owner',
    label: `${name} gets ${JSON.stringify(changes)}`,
    work: (now) =>
      updateConnectedAccount(
        scene.workspace_id,
        account_id,
        changes as Parameters<typeof updateConnectedAccount>[2],
        now,
      ),
  }
}

const accountNamed = ({ scene }: Outside, name: string) => scene.accounts.find((one) => one.name === name)

/** Somebody accepts an invitation; the network reports it, or it is found out at the next lookup. */
function acceptance(outside: Outside): OutsideEvent | null {
  const { network, rng } = outside
  const invited = [...network].filter(([, { relation }]) => relation === 'invited')
  if (invited.length === 0) return null
  const [name = '', person = ''] = rng.pick(invited)[0].split(' ')
  const account = accountNamed(outside, name)
  const isTold = rng.chance(0.7)
  return {
    actor: 'owner',
    label: `${person} accepts the invitation of ${name}${isTold ? '' : ', and nobody is told'}`,
    work: async (now) => {
      if (standing(network, name, person).relation !== 'invited') return
      stand(network, name, person, { relation: 'connected' })
      if (account && isTold) await noteConnected(account.account_id, person, now)
    },
  }
}

/** Somebody writes to an account that acted towards them: each of their leads there is over. */
function answer(outside: Outside): OutsideEvent | null {
  const { inbound, ledger, network, offers, rng, scene } = outside
  const taken = offers.filter((offer) => offer.taken && offer.channel === 'social')
  if (taken.length === 0) return null
  const { from, to } = rng.pick(taken)
  const account = accountNamed(outside, from)
  if (!account) return null
  const chat = standing(network, from, to).chat_id
  const chat_id = chat ?? `chat-${from}-${to}`
  // In a known chat, providers do not always name the author.
  const isNamed = chat === null || rng.chance(0.8)
  const message_id = `answer-${offers.length}-${rng.int(0, 1_000_000_000)}`
  return {
    actor: 'inbound',
    label: `${to} answers ${from} in the chat${isNamed ? '' : ', without a name'}`,
    work: async (now) => {
      stand(network, from, to, { chat_id })
      const concerned = offers.filter((one) => one.from === from && one.to === to && one.taken)
      await recordSocialMessage(
        { ...account, workspace_id: scene.workspace_id, provider: 'linkedin' },
        {
          message_id,
          chat_id,
          direction: 'in',
          provider_id: to,
          sender_name: null,
          text: 'Thank you.',
          at: now,
        },
        now,
        inbound,
      )
      for (const { lead } of concerned) {
        const status = ledger.leads.get(lead ?? '')?.status
        if (status && !isOver(status))
          throw new Violation('I5', `${to} answered ${from}; the lead is ${status}`)
      }
    },
  }
}

/** The owner writes to somebody by hand: limited by no cap, but counted against all. */
function direct(outside: Outside): OutsideEvent | null {
  const { network, rng, scene, driver, ledger, offers } = outside
  const known = [...network].filter(([, { chat_id, relation }]) => chat_id || relation === 'connected')
  if (known.length === 0) return null
  const waits = new Set(
    offers.flatMap(({ from, to, taken, lead }) =>
      taken && !isOver(ledger.leads.get(lead ?? '')?.status ?? 'skipped') ? [`${from} ${to}`] : [],
    ),
  )
  const waiting = known.filter(([one]) => waits.has(one))
  const [pair, { chat_id }] = rng.pick(waiting.length > 0 ? waiting : known)
  const [name = '', provider_id = ''] = pair.split(' ')
  const account = accountNamed(outside, name)
  const [owner] = scene.workspaces
  if (!account || !owner) return null
  const { account_id } = account
  return {
    actor: 'owner',
    label: `writes to ${provider_id} from ${name} by hand`,
    work: async (now) => {
      const concerned = offers.filter((one) => one.from === name && one.to === provider_id && one.taken)
      const { success, data } = await sendSocialMessage(
        owner,
        { account_id, text: 'By hand.', ...(chat_id ? { chat_id } : { provider_id }) },
        now,
        driver,
      )
      if (!success) return
      // The person of the chat may only be named in the provider's copy of the message.
      const copy = { direction: 'out' as const, sender_name: null, text: 'By hand.', at: now, provider_id }
      await recordSocialMessage(
        { ...account, workspace_id: scene.workspace_id, provider: 'linkedin' },
        { ...copy, message_id: data?.message_id ?? '', chat_id: chat_id ?? data?.chat_id ?? '' },
        now,
        pool(),
      )
      for (const { lead: id } of concerned) {
        const lead = ledger.leads.get(id ?? '')
        if (lead && !isOver(lead.status) && lead.last_event !== 'taken_back')
          throw new Violation('I5', `${provider_id} was written to by hand; the lead is ${lead.status}`)
      }
    },
  }
}
