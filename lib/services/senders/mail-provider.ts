import { env } from '#lib/env'
import { processState } from '#lib/process-state'
import type { MailProvider } from '#lib/providers/mail/port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { routedMail } from '#lib/providers/mail-api/routed'
import { mailApiOptions } from '#lib/services/senders/grants/vendors'

const kept = processState('mail provider', (): { provider?: MailProvider } => ({}))

/** The one driver of this process; all services share its pooled connections. */
export function mailProvider(): MailProvider {
  kept.provider ??= routedMail(smtp(), {
    gmail: createGmailProvider(mailApiOptions('gmail')),
    graph: createGraphProvider(mailApiOptions('graph')),
  })
  return kept.provider
}

function smtp(): MailProvider {
  const { ALLOW_PRIVATE_HOSTS, SANDBOX_SMTP_PORT } = env()
  return createSmtpProvider({
    policy: {
      allow_private_hosts: ALLOW_PRIVATE_HOSTS,
      // The sandbox runs on this machine, where no other endpoint may be reached.
      allowed_endpoints: SANDBOX_SMTP_PORT ? [{ host: '127.0.0.1', port: SANDBOX_SMTP_PORT }] : [],
    },
  })
}

/** Lets messages under way finish; a process calls it once before it ends. */
export async function closeMailProvider(): Promise<void> {
  await kept.provider?.close()
  kept.provider = undefined
}
