import { env } from '#lib/env'
import { processState } from '#lib/process-state'
import type { MailProvider } from '#lib/providers/mail/port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'

const kept = processState('mail provider', (): { provider?: MailProvider } => ({}))

/** The one SMTP driver of this process, whose pooled connections all services share. */
export function mailProvider(): MailProvider {
  const { ALLOW_PRIVATE_HOSTS, SANDBOX_SMTP_PORT } = env()
  kept.provider ??= createSmtpProvider({
    policy: {
      allow_private_hosts: ALLOW_PRIVATE_HOSTS,
      // The sandbox stands on this machine, where nothing else may be reached.
      allowed_endpoints: SANDBOX_SMTP_PORT ? [{ host: '127.0.0.1', port: SANDBOX_SMTP_PORT }] : [],
    },
  })
  return kept.provider
}

/** Lets messages under way finish; a process calls it once before it ends. */
export async function closeMailProvider(): Promise<void> {
  await kept.provider?.close()
  kept.provider = undefined
}
