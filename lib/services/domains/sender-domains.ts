import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db } from '#lib/db/client'
import { addressDomain } from '#lib/domain/domains/domain-name'
import { savesSentItself } from '#lib/domain/domains/sent-folders'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { spamWarnings } from '#lib/services/domains/postmaster/summary'
import { alignmentIn } from '#lib/services/domains/requirements'
import { smtpServers } from '#lib/services/domains/row'
import { findSndsWarnings } from '#lib/services/domains/snds/summary'
import { isSandboxServer } from '#lib/services/senders/sandbox'

type Sending = { address: string; send_as?: string | null; smtp: unknown }

export type SenderFinding = { domain: string; domain_id: string | null; verified: boolean; aligned: boolean }

/** Each distinct domain that mailboxes send from, and its state. */
async function senderDomains(workspaceId: string, mailboxes: Sending[]): Promise<SenderFinding[]> {
  const names = [...new Set(mailboxes.map((mailbox) => addressDomain(sendingAddress(mailbox))))].toSorted()
  const rows = await db.mailDomain.findMany({
    where: { workspace_id: workspaceId, domain: { in: names } },
    include: { keys: true },
  })
  return names.map((domain) => {
    const row = rows.find((each) => each.domain === domain)
    return {
      domain,
      domain_id: row?.domain_id ?? null,
      verified: row?.status === 'verified',
      aligned: row ? alignmentIn(row).dmarc : false,
    }
  })
}

/** Domain warnings before a launch. Mail submitted to a server of this machine or network is not checked in DNS. */
export async function domainWarnings(workspaceId: string, mailboxes: Sending[], now: number) {
  const public_ones = mailboxes.filter((mailbox) => smtpServers([mailbox]).length > 0)
  const domains = await senderDomains(workspaceId, public_ones)
  const spam = await spamWarnings(workspaceId, domains, now)
  const reported = spam.map(({ domain_id, message }) => ({
    code: 'domain_reported_as_spam',
    message,
    step: null,
    fix: `/domains/${domain_id}`,
  }))
  // Mail sent through Google or Microsoft leaves from their IP addresses.
  const isOwn = ({ smtp }: Sending) => !savesSentItself(Mailbox.shape.smtp.parse(smtp).host)
  const counted = public_ones.some(isOwn) ? await findSndsWarnings(workspaceId, now) : []
  const filtered = counted.map((message) => ({
    code: 'ip_filtered_by_outlook',
    message,
    step: null,
    fix: '/domains',
  }))
  const unready = domains.flatMap(({ domain, domain_id, verified, aligned }) => {
    const fix = domain_id ? `/domains/${domain_id}` : '/domains'
    if (verified) return []
    const warning = {
      code: 'domain_unverified',
      message: domain_id
        ? `${domain} is not verified. See its page for missing records.`
        : `${domain} is not among your domains, so its emails are sent unsigned and its records were not checked.`,
      step: null,
      fix,
    }
    const unaligned = {
      code: 'from_not_aligned',
      message: `Neither SPF nor DKIM is known to cover ${domain}. From is not aligned, and emails that fail DMARC may be refused.`,
      step: null,
      fix,
    }
    return aligned ? [warning] : [warning, unaligned]
  })
  return [...reported, ...filtered, ...unready]
}

/**
 * Domains that block a launch if the owner requires verified domains. Sandbox mailboxes are exempt, because their mail is never delivered.
 */
export async function unverifiedDomains(workspaceId: string, mailboxes: Sending[]): Promise<string[]> {
  const owner = await db.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: { require_verified_domain: true },
  })
  if (!owner.require_verified_domain) return []
  const leaving = mailboxes.filter(({ smtp }) => !isSandboxServer(Mailbox.shape.smtp.parse(smtp)))
  const domains = await senderDomains(workspaceId, leaving)
  return domains.filter(({ verified }) => !verified).map(({ domain }) => domain)
}
