import { MAX_DOCUMENT } from '#lib/domain/domains/server-documents'
import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import { createMailConfig } from '#lib/providers/mail-config/http'
import type { MailConfig } from '#lib/providers/mail-config/port'

/** Short, since a person waits for the result. */
const TIMEOUT_MS = 4_000

/** Resolves host names through the same DNS as the other lookups. */
export const mailConfig = (dns: DnsProvider): MailConfig =>
  createMailConfig({
    policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS },
    max_bytes: MAX_DOCUMENT,
    timeout_ms: TIMEOUT_MS,
    lookup: async (host) => {
      const answer = await dns.addresses(host)
      return answer.outcome === 'found' ? answer.records : []
    },
  })
