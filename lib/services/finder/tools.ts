import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import type { MailProbe } from '#lib/providers/mail-probe/port'
import { createMailProbe } from '#lib/providers/mail-probe/smtp'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'

/** What the email finder asks with. `probe` is null where asking mail servers is switched off. */
export type FinderTools = {
  dns: DnsProvider
  probe: MailProbe | null
  /** Between two dialogues with one mail server. */
  spacing_ms: number
  /** For one dialogue at most. */
  timeout_ms: number
  /** Dialogues a minute for one domain. */
  per_domain: number
}

/** By the environment: mail servers are asked only where it says under which name and from which address. */
export function finderTools(): FinderTools {
  const e = env()
  const dns = dnsProvider()
  const { EMAIL_PROBE_EHLO_NAME: ehlo_name, EMAIL_PROBE_FROM: from } = e
  const probe =
    ehlo_name && from
      ? createMailProbe({
          ehlo_name,
          from,
          port: e.EMAIL_PROBE_PORT,
          timeout_ms: e.EMAIL_PROBE_TIMEOUT_MS,
          policy: { allow_private_hosts: e.ALLOW_PRIVATE_HOSTS },
          lookup: async (host) => {
            const answer = await dns.addresses(host)
            return answer.outcome === 'found' ? answer.records : []
          },
        })
      : null
  return {
    dns,
    probe,
    spacing_ms: e.EMAIL_PROBE_SPACING_MS,
    timeout_ms: e.EMAIL_PROBE_TIMEOUT_MS,
    per_domain: e.EMAIL_PROBE_PER_DOMAIN,
  }
}
