import { randomBytes } from 'node:crypto'
import { silentProvider } from '#lib/domain/finder/mail-servers'
import type { MailRoute, ProbeFact } from '#lib/domain/finder/verdict'
import type { ProbeAnswer } from '#lib/providers/mail-probe/port'
import { type Check, keepChecks, knownChecks } from '#lib/services/finder/checks'
import { routeHosts } from '#lib/services/finder/mail-route'
import { inTurn } from '#lib/services/finder/slots'
import type { FinderTools } from '#lib/services/finder/tools'
import { takeToken } from '#lib/services/instance/rate-limits'

type Question = { domain: string; emails: readonly string[]; route: MailRoute }

/** What a domain's mail server says about addresses: from recent answers, otherwise by asking it, if allowed. */
export async function askServer(
  workspaceId: string,
  { domain, emails, route }: Question,
  tools: FinderTools,
  now: Date,
): Promise<Map<string, ProbeFact>> {
  const all = (fact: ProbeFact) => new Map(emails.map((email) => [email, fact]))
  const [mx] = routeHosts(route)
  if (!mx || emails.length === 0) return all({ kind: 'not_asked', why: 'not_needed' })
  const provider = routeHosts(route).map(silentProvider).find(Boolean)
  if (provider) return all({ kind: 'not_asked', why: 'silent_provider', provider })
  if (!tools.probe) return all({ kind: 'not_asked', why: 'off' })
  const known = await knownChecks(workspaceId, domain, emails, now)
  // A catch-all domain accepts any name, so its server is not asked again.
  const open = known.catch_all === true ? [] : emails.filter((email) => !known.checks.has(email))
  const heard =
    open.length > 0
      ? await hear(workspaceId, { domain, mx, open, known: known.catch_all }, tools, now)
      : new Map()
  return new Map(
    emails.map((email): [string, ProbeFact] => {
      const check = known.checks.get(email)
      if (check) return [email, { kind: 'answered', ...check }]
      if (known.catch_all === true)
        return [email, { kind: 'answered', answer: 'accepted', catch_all: true, response: '' }]
      return [email, heard.get(email) ?? { kind: 'not_asked', why: 'not_needed' }]
    }),
  )
}

type Open = { domain: string; mx: string; open: readonly string[]; known: boolean | null }

/**
 * One SMTP dialogue, in turn with all others. Unless the domain is known to be catch-all or not, a made-up name is asked for first, to see
 * what acceptance is worth.
 */
async function hear(
  workspaceId: string,
  { domain, mx, open, known }: Open,
  tools: FinderTools,
  now: Date,
): Promise<Map<string, ProbeFact>> {
  const all = (fact: ProbeFact) => new Map(open.map((email) => [email, fact]))
  const { probe } = tools
  if (!probe) return all({ kind: 'not_asked', why: 'off' })
  if ((await takeToken(`probe:${domain}`, tools.per_domain, now)) < 0)
    return all({ kind: 'not_asked', why: 'limited' })
  const nobody = `${randomBytes(9).toString('hex')}@${domain}`
  const asked = known === null ? [nobody, ...open] : [...open]
  const answers = await inTurn(mx, tools, () => probe.ask(mx, asked))
  if (answers === 'busy') return all({ kind: 'not_asked', why: 'busy' })
  const byEmail = new Map(asked.map((email, index) => [email, answers[index]]))
  const catch_all = known ?? isCatchAll(byEmail.get(nobody))
  const heard = new Map(
    open.flatMap((email): [string, Check][] => {
      const answer = byEmail.get(email)
      return answer ? [[email, { ...answer, catch_all }]] : []
    }),
  )
  await keepChecks(workspaceId, { domain, mx, catch_all, answers: heard }, now)
  return new Map([...heard].map(([email, check]) => [email, { kind: 'answered', ...check }]))
}

/** Only a clear yes or no to a made-up name counts. */
const isCatchAll = (answer: ProbeAnswer | undefined): boolean | null =>
  answer?.answer === 'accepted' ? true : answer?.answer === 'refused' ? false : null
