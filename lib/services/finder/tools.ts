import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import type { MailProbe } from '#lib/providers/mail-probe/port'
import { createMailProbe } from '#lib/providers/mail-probe/smtp'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'

/** The email finder's tools. `probe` is null if asking mail servers is disabled. */
export type FinderTools = {
  dns: DnsProvider
  probe: MailProbe | null
  /** Minimum time between two dialogues with one mail server. */
  spacing_ms: number
  /** Maximum duration of one dialogue. */
  timeout_ms: number
  /** Dialogues per minute for one domain. */
  per_domain: number
}

/** Configured by the environment: mail servers are asked only if a host name and a sender address are set. */
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
