import { z } from 'zod'
import type { SocialEvent } from '#lib/providers/social/port'
import { Message, toMessage } from '#lib/providers/social/unipile/current-bodies'

const Event = z.object({ type: z.string(), account_id: z.string().min(1), payload: z.unknown() })
export type CurrentEvent = z.output<typeof Event>

const Linked = z.object({ state: z.string().min(1) })
const Reason = z.object({ reason: z.string().nullish() })
const Group = z.object({ is_group: z.boolean() })
const Relation = z.object({ user: z.object({ id: z.string().min(1) }) })
const Accepted = z.object({ user_id: z.string().min(1) })

const GONE: Record<string, string> = {
  'account.status.disconnected': 'disconnected',
  'account.status.errored': 'errored',
  'account.status.paused': 'paused',
  'account.remove': 'removed',
}

/** Recognizes an event of the second version by its shape: one object with a type, an account and a payload. */
export function currentEventIn(content: unknown): CurrentEvent | null {
  const event = Event.safeParse(content)
  return event.success && event.data.payload !== undefined ? event.data : null
}

/** Unknown kinds of events are ignored: Unipile adds new ones. */
export function toEvents({ type, account_id, payload }: CurrentEvent): SocialEvent[] {
  const provider_account_id = account_id
  const gone = GONE[type]
  if (gone) {
    const { data } = Reason.safeParse(payload)
    const reason = data?.reason ? `${gone}: ${data.reason}` : gone
    return [{ kind: 'account_status', provider_account_id, status: 'disconnected', reason }]
  }
  switch (type) {
    case 'account.status.running':
      return [{ kind: 'account_status', provider_account_id, status: 'connected', reason: null }]
    case 'account.add':
    case 'account.reconnect': {
      const linked = Linked.safeParse(payload)
      return linked.success
        ? [{ kind: 'account_connected', provider_account_id, state: linked.data.state }]
        : []
    }
    case 'message.new':
      return messageIn(provider_account_id, payload)
    case 'relation.new':
    case 'relation.request.accept': {
      const relation = Relation.safeParse(payload)
      const accepted = Accepted.safeParse(payload)
      const provider_id = relation.data?.user.id ?? accepted.data?.user_id
      return provider_id ? [{ kind: 'connection_accepted', provider_account_id, provider_id }] : []
    }
    default:
      return []
  }
}

/**
 * Events do not always say whether a chat has two people. If they do not, the other person stays empty: the known chat says who
 * it is, or the next reading of the chats does.
 */
function messageIn(provider_account_id: string, payload: unknown): SocialEvent[] {
  const nested = z.object({ message: Message }).safeParse(payload)
  const read = nested.success ? { success: true, data: nested.data.message } : Message.safeParse(payload)
  if (!read.success || !read.data) return []
  const group = Group.safeParse(payload)
  const isOfTwo = group.success && !group.data.is_group
  const sender = read.data.is_sender ? null : (read.data.sender_id ?? null)
  const message = toMessage(read.data, isOfTwo ? sender : null)
  return message ? [{ kind: 'message', provider_account_id, message }] : []
}
