import { isIP } from 'node:net'
import { env } from '#lib/env'
import { processState } from '#lib/process-state'
import type { MailAddress, MailboxConnection, MailProvider } from '#lib/providers/mail/port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import type { MessagingProvider } from '#lib/providers/messaging/port'
import { sandboxMessaging } from '#lib/providers/messaging/sandbox'
import { createWebhookMessaging } from '#lib/providers/messaging/webhook'

/** How owners are reached. An absent channel is not available on this instance. */
export type Channels = {
  email: {
    provider: MailProvider
    connection: MailboxConnection
    from: MailAddress
    is_sandbox: boolean
  } | null
  messaging: { provider: MessagingProvider; is_sandbox: boolean } | null
}

/** Kept across calls, because its connections count against the server's limit. */
const kept = processState('notification mail', (): { provider?: MailProvider } => ({}))

/**
 * The channels of this instance. An owner's mailbox is used only if they chose it (mail-sender.ts), because its reputation is for
 * campaigns. Without its own mail server the instance has the sandbox, or no mail to owners.
 */
export function channels(): Channels {
  return { email: emailChannel(), messaging: messagingChannel() }
}

function emailChannel(): Channels['email'] {
  const { NOTIFY_SMTP_URL, SANDBOX_SMTP_PORT, ALLOW_PRIVATE_HOSTS } = env()
  const connection = NOTIFY_SMTP_URL
    ? toConnection(new URL(NOTIFY_SMTP_URL))
    : SANDBOX_SMTP_PORT
      ? ({
          host: '127.0.0.1',
          port: SANDBOX_SMTP_PORT,
          security: 'none',
          username: null,
          password: null,
        } as const)
      : null
  if (!connection) return null
  kept.provider ??= createSmtpProvider({
    policy: { allow_private_hosts: ALLOW_PRIVATE_HOSTS, allowed_endpoints: [connection] },
  })
  return { provider: kept.provider, connection, from: sender(), is_sandbox: !NOTIFY_SMTP_URL }
}

/** smtps:// uses TLS from the start; smtp:// uses STARTTLS unless the URL has `?security=none`. */
function toConnection(url: URL): MailboxConnection {
  const isTls = url.protocol === 'smtps:'
  const isPlain = url.searchParams.get('security') === 'none'
  return {
    host: url.hostname,
    port: Number(url.port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : isPlain ? 'none' : 'starttls',
    username: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
  }
}

function sender(): MailAddress {
  const { NOTIFY_FROM, APP_URL } = env()
  const { hostname } = new URL(APP_URL)
  const named = /^([^<>]*)<([^<>]+)>$/.exec(NOTIFY_FROM ?? '')
  if (named) return { name: named[1]?.trim() || null, address: named[2] ?? '' }
  // A bare IP address is not valid after an @.
  const domain = isIP(hostname.replace(/^\[|\]$/g, '')) ? 'opener.localhost' : hostname
  return { name: 'Opener', address: NOTIFY_FROM ?? `notifications@${domain}` }
}

function messagingChannel(): Channels['messaging'] {
  const { MESSAGING_URL, MESSAGING_KIND, MESSAGING_TOKEN, SANDBOX_SMTP_PORT, ALLOW_PRIVATE_HOSTS } = env()
  if (!MESSAGING_URL) return SANDBOX_SMTP_PORT ? { provider: sandboxMessaging, is_sandbox: true } : null
  const provider = createWebhookMessaging({
    url: MESSAGING_URL,
    kind: MESSAGING_KIND,
    token: MESSAGING_TOKEN ?? null,
    policy: { allow_private_hosts: ALLOW_PRIVATE_HOSTS },
  })
  return { provider, is_sandbox: false }
}
