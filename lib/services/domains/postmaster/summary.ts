import { PostmasterDays } from '#lib/contracts/domains/postmaster'
import { db } from '#lib/db/client'
import { judgeSpam, spamInWords } from '#lib/domain/domains/counted/postmaster'
import { POSTMASTER_SCOPE } from '#lib/providers/postmaster/google'
import { postmasterRedirectUri, usualPostmaster } from '#lib/services/domains/postmaster/google'
import { domainRow } from '#lib/services/domains/row'

/** What Postmaster Tools report about a domain, and through whose account. */
export async function postmasterSummary(workspace_id: string, domain_id: string, now: Date) {
  const { domain } = await domainRow(workspace_id, domain_id)
  const [account, read] = await Promise.all([
    db.postmasterAccount.findUnique({ where: { workspace_id } }),
    db.postmasterDomain.findFirst({ where: { domain_id, workspace_id } }),
  ])
  const days = PostmasterDays.parse(read?.days ?? [])
  const spam = judgeSpam(days, now.getTime())
  return {
    domain_id,
    domain,
    account: account && {
      vendor: account.vendor === 'sandbox' ? ('sandbox' as const) : ('google' as const),
      address: account.address,
      ended_said: account.ended_said,
      next_read_at: account.next_read_at,
    },
    vendor: usualPostmaster(),
    redirect_uri: postmasterRedirectUri(),
    scope: POSTMASTER_SCOPE,
    read_at: read?.read_at ?? null,
    said: read?.said ?? null,
    days,
    spam: spam && { ...spam, warning: spamInWords(domain, spam) },
  }
}

/** Those of these domains that Gmail users report as spam too often, one sentence each. */
export async function spamWarnings(
  workspace_id: string,
  domains: { domain_id: string | null; domain: string }[],
  now: number,
): Promise<{ domain_id: string; message: string }[]> {
  const known = new Map(domains.flatMap(({ domain_id, domain }) => (domain_id ? [[domain_id, domain]] : [])))
  const rows = await db.postmasterDomain.findMany({
    where: { workspace_id, domain_id: { in: [...known.keys()] } },
    orderBy: { domain_id: 'asc' },
  })
  return rows.flatMap(({ domain_id, days }) => {
    const spam = judgeSpam(PostmasterDays.parse(days), now)
    const message = spam && spamInWords(known.get(domain_id) ?? '', spam)
    return message ? [{ domain_id, message }] : []
  })
}
