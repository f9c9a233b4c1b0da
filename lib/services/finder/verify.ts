import { readEmailCell } from '#lib/domain/datasets/email-address'
import { isDisposableDomain, isFreeMail, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { judgeAddress, type MailRoute } from '#lib/domain/finder/verdict'
import { mailRoute, routeHosts } from '#lib/services/finder/mail-route'
import { askServer } from '#lib/services/finder/server-questions'
import { type FinderTools, finderTools } from '#lib/services/finder/tools'

/** Checks syntax, lists, DNS and, if enabled, the mail server itself, in this order; stops at the first definite no. */
export async function verifyEmail(
  workspaceId: string,
  text: string,
  now: Date,
  tools: FinderTools = finderTools(),
  findRoute: (domain: string) => Promise<MailRoute> = (domain) => mailRoute(tools.dns, domain),
) {
  const reading = readEmailCell(text)
  if (reading.kind !== 'address' || reading.others.length > 0) {
    const reason =
      reading.kind === 'invalid'
        ? reading.reason
        : reading.kind === 'missing'
          ? 'It contains no address.'
          : 'It contains more than one address.'
    const nothing = { mx: null, catch_all: null, disposable: false, role: false, free_mail: false }
    const verdict = { status: 'invalid', code: 'malformed', reason } as const
    return { email: text.trim().slice(0, 500), ...verdict, ...nothing }
  }
  const { email } = reading
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const disposable = isDisposableDomain(domain)
  const role = isRoleLocal(email.slice(0, at))
  const route = await findRoute(domain)
  // A disposable address is rejected anyway, so its server is not asked.
  const facts = disposable
    ? new Map()
    : await askServer(workspaceId, { domain, emails: [email], route }, tools, now)
  const probe = facts.get(email) ?? { kind: 'not_asked', why: 'not_needed' }
  const faults = [...(disposable ? (['disposable'] as const) : []), ...(role ? (['role'] as const) : [])]
  return {
    email,
    ...judgeAddress({ faults, route, probe }),
    mx: routeHosts(route)[0] ?? null,
    catch_all: probe.kind === 'answered' ? probe.catch_all : null,
    disposable,
    role,
    free_mail: isFreeMail(email),
  }
}
