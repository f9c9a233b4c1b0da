import { z } from 'zod'
import type { SocialEvent, SocialMessage } from '#lib/providers/social/port'
import { isSame, isSigned, parseJson } from '#lib/providers/social/unipile/signature'

export type ClassicEventOptions = {
  webhook_secret: string | null
  /** Whether a state is one that we signed: Unipile's report of a hosted sign-in carries nothing else to authenticate it. */
  is_link_state: (state: string) => boolean
}

const Status = z.object({
  AccountStatus: z.object({ account_id: z.string().min(1), message: z.string() }),
})
const Person = z.object({ attendee_provider_id: z.string(), attendee_name: z.string().nullish() })
const Message = z.object({
  event: z.string(),
  account_id: z.string().min(1),
  chat_id: z.string().min(1),
  message_id: z.string().min(1),
  message: z.string().nullish(),
  timestamp: z.coerce.date(),
  sender: Person,
  attendees: z.array(Person).nullish(),
  is_sender: z.union([z.boolean(), z.number()]).nullish(),
  is_group: z.union([z.boolean(), z.number()]).nullish(),
  account_info: z.object({ user_id: z.string().nullish() }).nullish(),
})
const Relation = z.object({
  event: z.literal('new_relation'),
  account_id: z.string().min(1),
  user_provider_id: z.string().min(1),
})
const Linked = z.object({
  status: z.enum(['CREATION_SUCCESS', 'RECONNECTED']),
  account_id: z.string().min(1),
  name: z.string().min(1),
})

/** Statuses in which nothing can be done until the owner signs in again. */
const GONE = ['CREDENTIALS', 'ERROR', 'STOPPED', 'DELETED', 'DISCONNECTED', 'PERMISSIONS']
const FINE = ['OK', 'SYNC_SUCCESS', 'RECONNECTED', 'CREATION_SUCCESS']

/**
 * The events of a request. Null if nothing authenticates it: neither the webhook's secret (in the header `Unipile-Auth` that the
 * webhook was created with, or by a signature `t=…,v0=…` over time and body) nor, for a hosted sign-in, our own signed state.
 */
export function readClassicEvents(
  options: ClassicEventOptions,
  headers: Headers,
  body: string,
  now: Date,
): SocialEvent[] | null {
  const content = parseJson(body)
  const linked = Linked.safeParse(content)
  if (linked.success && options.is_link_state(linked.data.name))
    return [
      {
        kind: 'account_connected',
        provider_account_id: linked.data.account_id,
        state: linked.data.name,
      },
    ]
  const { webhook_secret } = options
  if (!webhook_secret || !isVouchedFor(webhook_secret, headers, body, now)) return null
  return toEvents(content)
}

function isVouchedFor(secret: string, headers: Headers, body: string, now: Date): boolean {
  const given = headers.get('unipile-auth')
  return given === null ? isSigned(secret, headers, body, now) : isSame(given, secret)
}

/** Unknown kinds of events are ignored: Unipile adds new ones. */
function toEvents(content: unknown): SocialEvent[] {
  const status = Status.safeParse(content)
  if (status.success) return toStatusEvents(status.data.AccountStatus)
  const relation = Relation.safeParse(content)
  if (relation.success) {
    const { account_id, user_provider_id } = relation.data
    return [{ kind: 'connection_accepted', provider_account_id: account_id, provider_id: user_provider_id }]
  }
  const message = Message.safeParse(content)
  if (!message.success || !['message_received', 'message_sent'].includes(message.data.event)) return []
  const { account_id } = message.data
  return [{ kind: 'message', provider_account_id: account_id, message: toMessage(message.data) }]
}

function toStatusEvents({ account_id, message }: z.output<typeof Status>['AccountStatus']): SocialEvent[] {
  const provider_account_id = account_id
  if (GONE.includes(message))
    return [{ kind: 'account_status', provider_account_id, status: 'disconnected', reason: message }]
  if (FINE.includes(message))
    return [{ kind: 'account_status', provider_account_id, status: 'connected', reason: null }]
  return []
}

function toMessage(said: z.output<typeof Message>): SocialMessage {
  const own = said.account_info?.user_id ?? null
  const isOut = said.is_sender ? true : own !== null && said.sender.attendee_provider_id === own
  const others = (said.attendees ?? []).filter(({ attendee_provider_id }) => attendee_provider_id !== own)
  const isGroup = Boolean(said.is_group) || others.length > 1
  const other = isOut ? others[0]?.attendee_provider_id : said.sender.attendee_provider_id
  return {
    message_id: said.message_id,
    chat_id: said.chat_id,
    direction: isOut ? 'out' : 'in',
    provider_id: isGroup ? null : (other ?? null),
    sender_name: isOut ? null : (said.sender.attendee_name ?? null),
    text: said.message ?? '',
    at: said.timestamp,
  }
}
