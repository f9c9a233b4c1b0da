import { dayInWords } from '#lib/domain/calendar/day-words'
import { type SetupInput, setupInstructions, setupRecords } from '#lib/domain/domains/setup-records'
import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import { checkDomain, RETIRED_MS } from '#lib/services/domains/check'
import {
  type DomainRow,
  domainChecks,
  domainKeys,
  domainMailboxes,
  domainRow,
  neededMechanisms,
  smtpServers,
} from '#lib/services/domains/row'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { workspaceTimezone } from '#lib/services/workspaces/users'

/** The records to publish. Before the first check DNS is queried at once, because records that exist there are part of the result. */
export async function domainSetup(
  workspaceId: string,
  domainId: string,
  now: Date,
  dns: DnsProvider = dnsProvider(),
) {
  const saved = await domainRow(workspaceId, domainId)
  const row = saved.checked_at ? saved : ((await checkDomain(saved, dns, now)) ?? saved)
  const records = setupRecords(await setupInput(row))
  return {
    domain_id: row.domain_id,
    domain: row.domain,
    records,
    ready: records.every((record) => !record.required || record.status === 'found'),
    instructions: [
      setupInstructions(records, row.domain),
      ...retiredKeys(row, await workspaceTimezone(workspaceId)),
    ].join(' '),
  }
}

async function setupInput(row: DomainRow): Promise<SetupInput> {
  const servers = smtpServers(await domainMailboxes(row))
  const { TRACKING_HOST: tracking_host = null, BOUNCE_HOST: bounce_host = null } = env()
  return {
    domain: row.domain,
    checks: domainChecks(row),
    ...domainKeys(row),
    spf_needed: neededMechanisms(servers),
    smtp_hosts: servers.map(({ host }) => host),
    tracking_host,
    bounce_host,
    bounce_address: row.bounce_address,
  }
}

function retiredKeys({ keys, domain }: DomainRow, timezone: string): string[] {
  return keys.flatMap(({ selector, retired_at }) => {
    if (!retired_at) return []
    const until = dayInWords(timezone, retired_at.getTime() + RETIRED_MS)
    return `Keep the previous key’s record, ${selector}._domainkey.${domain}, until ${until}. Emails signed with it may still be in transit.`
  })
}
