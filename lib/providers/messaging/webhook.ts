import type { MessagingOutcome, MessagingProvider, ShortMessage } from '#lib/providers/messaging/port'
import { type HttpAnswer, type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'

export type MessagingKind = 'plain' | 'whatsapp' | 'telegram'

export type WebhookMessagingOptions = OutboundHttpOptions & {
  url: string
  kind: MessagingKind
  /** Sent as a bearer token. Telegram has its token in the URL instead. */
  token: string | null
}

const TIMEOUT_MS = 15_000

/** The request body of each kind of gateway. */
const BODIES: Record<MessagingKind, (message: ShortMessage) => object> = {
  plain: ({ id, to, text }) => ({ id, to, text }),
  // WhatsApp Cloud API, POST /{phone-number-id}/messages
  whatsapp: ({ to, text }) => ({ messaging_product: 'whatsapp', to, type: 'text', text: { body: text } }),
  // Telegram Bot API, sendMessage
  telegram: ({ to, text }) => ({ chat_id: to, text }),
}

/** A gateway that takes one POST per message. */
export function createWebhookMessaging(options: WebhookMessagingOptions): MessagingProvider {
  const { url, kind, token, ...outbound } = options
  return {
    async send(message) {
      const headers = {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        'idempotency-key': message.id,
      }
      const body = JSON.stringify(BODIES[kind](message))
      return toOutcome(await postOutbound({ url, headers, body, timeout_ms: TIMEOUT_MS }, outbound))
    },
  }
}

/** A gateway that failed half-way (5xx) may have passed the message on; one that reports that it is busy did not. */
function toOutcome(answer: HttpAnswer): MessagingOutcome {
  if (answer.status === null)
    return {
      outcome: answer.reason === 'blocked' || answer.reason === 'unreachable' ? 'never_left' : 'unknown',
      response: answer.error,
    }
  const response = `${answer.status} ${answer.response}`.trim().slice(0, 500)
  if (answer.status >= 200 && answer.status < 300) return { outcome: 'accepted', response }
  if (answer.status === 429 || answer.status === 503) return { outcome: 'refused_for_now', response }
  return { outcome: answer.status >= 500 ? 'unknown' : 'refused_for_good', response }
}
