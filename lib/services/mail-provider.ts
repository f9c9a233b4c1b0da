import { env } from '#lib/env'
import type { MailProvider } from '#lib/providers/mail/port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'

let provider: MailProvider | undefined

/** The one SMTP driver of this process, whose pooled connections all services share. */
export function mailProvider(): MailProvider {
  const { ALLOW_PRIVATE_HOSTS, SANDBOX_SMTP_PORT } = env()
  provider ??= createSmtpProvider({
    policy: {
      allow_private_hosts: ALLOW_PRIVATE_HOSTS,
      // The sandbox stands on this machine, where nothing else may be reached.
      allowed_endpoints: SANDBOX_SMTP_PORT ? [{ host: '127.0.0.1', port: SANDBOX_SMTP_PORT }] : [],
    },
  })
  return provider
}

/** Lets messages under way finish; a process calls it once before it ends. */
export async function closeMailProvider(): Promise<void> {
  await provider?.close()
  provider = undefined
}
