import { isDisposableDomain, isFreeMail } from '#lib/domain/enrichment/address-quality'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { domainOfWebsite } from '#lib/domain/enrichment/web-domain'
import { type Candidate, candidatesFor } from '#lib/domain/finder/candidates'
import type { Person } from '#lib/domain/finder/patterns'
import {
  type EmailStatus,
  judgeAddress,
  type MailRoute,
  type ProbeFact,
  settledConfidence,
} from '#lib/domain/finder/verdict'
import { invalid } from '#lib/errors'
import { loadKnown } from '#lib/services/finder/known-addresses'
import { mailRoute, routeHosts } from '#lib/services/finder/mail-route'
import { askServer } from '#lib/services/finder/server-questions'
import { type FinderTools, finderTools } from '#lib/services/finder/tools'

/** Most candidates that a server is asked about; more would look like address harvesting. */
const ASKED = 4
/** The confidence of an address that the owner's datasets have under this name. */
const KNOWN_CONFIDENCE = 96

type Wanted = Person & { domain: string }
type Weighed = Pick<Candidate, 'email' | 'confidence'> & {
  pattern: string
  evidence: string
  status: EmailStatus
  reason: string
}

/** The most likely address of a person at a domain, with every other candidate and the evidence for each. */
export async function findEmail(
  workspaceId: string,
  wanted: Wanted,
  now: Date,
  tools: FinderTools = finderTools(),
) {
  const domain = checkedDomain(wanted.domain) ?? domainOfWebsite(wanted.domain)
  if (!domain) throw invalid(['body', 'domain'], 'is no domain')
  const route = await mailRoute(tools.dns, domain)
  const { people, learned } = await loadKnown(workspaceId, domain)
  const none = {
    email: null,
    confidence: 0,
    mx: routeHosts(route)[0] ?? null,
    catch_all: null,
    known_addresses: learned.told,
  }
  if (isFreeMail(`x@${domain}`) || isDisposableDomain(domain)) {
    const reason = 'This is a free email provider, so the address cannot be guessed from a name.'
    return { ...none, status: 'unknown' as const, reason, candidates: [] }
  }
  const dead = judgeAddress({ faults: [], route, probe: { kind: 'not_asked', why: 'not_needed' } })
  if (dead.status === 'invalid') return { ...none, ...dead, candidates: [] }
  const guesses = withKnown(wanted, people, candidatesFor(wanted, domain, learned))
  if (guesses.length === 0) {
    const reason = 'The name has no letters that an address could use.'
    return { ...none, status: 'unknown' as const, reason, candidates: [] }
  }
  const emails = guesses.slice(0, ASKED).map(({ email }) => email)
  const facts = await askServer(workspaceId, { domain, emails, route }, tools, now)
  const candidates = weigh(guesses, facts, route)
  const [best] = candidates
  const fact = facts.get(emails[0] ?? '')
  return {
    email: best && best.status !== 'invalid' ? best.email : null,
    confidence: best?.confidence ?? 0,
    status: best?.status ?? ('unknown' as const),
    reason: best?.reason ?? '',
    mx: none.mx,
    catch_all: fact?.kind === 'answered' ? fact.catch_all : null,
    known_addresses: learned.told,
    candidates,
  }
}

type Guess = Omit<Weighed, 'status' | 'reason'>

const plain = ({ first_name, last_name }: Person) =>
  `${first_name} ${last_name}`.toLowerCase().replace(/\s+/g, ' ').trim()

/** Puts first the address that the datasets have under exactly this name. */
function withKnown(
  person: Person,
  people: readonly (Person & { email: string })[],
  candidates: Candidate[],
): Guess[] {
  const known = people.filter((one) => plain(one) === plain(person)).map(({ email }) => email)
  const [only, ...namesakes] = known
  const guesses = candidates.map(({ seen, told, ...one }) => ({
    ...one,
    evidence: describeEvidence(seen, told),
  }))
  if (!only || namesakes.length > 0) return guesses
  const evidence = 'It is in one of your datasets under this name.'
  const first = { email: only, confidence: KNOWN_CONFIDENCE, pattern: 'known', evidence }
  return [
    first,
    ...guesses
      .filter(({ email }) => email !== only)
      .map((one) => ({ ...one, confidence: Math.min(one.confidence, 3) })),
  ]
}

function describeEvidence(seen: number, told: number): string {
  if (told === 0) return 'No addresses at this domain are known. This pattern is common elsewhere.'
  if (seen === 0) return `None of the ${told} known addresses at this domain follows this pattern.`
  return `${seen} of ${told} known addresses at this domain ${seen === 1 ? 'follows' : 'follow'} this pattern.`
}

/** Redistributes the confidence of refused guesses to the others, in proportion. */
function weigh(guesses: Guess[], facts: ReadonlyMap<string, ProbeFact>, route: MailRoute): Weighed[] {
  const judged = guesses.map((guess) => {
    const probe = facts.get(guess.email) ?? ({ kind: 'not_asked', why: 'not_needed' } as const)
    const { status, reason } = judgeAddress({ faults: [], route, probe })
    return { ...guess, status, reason }
  })
  const refused = judged
    .filter(({ status }) => status === 'invalid')
    .reduce((sum, one) => sum + one.confidence, 0)
  const left = Math.max(1, 100 - refused)
  // A confirmed address leaves little confidence for the others.
  const isSettled = judged.some(({ status }) => status === 'valid')
  return judged
    .map((one) => {
      const share = Math.min(95, Math.floor((one.confidence * 100) / left))
      const confidence = settledConfidence(
        isSettled ? Math.min(one.confidence, 2) : Math.max(one.confidence, share),
        one.status,
      )
      return { ...one, confidence }
    })
    .toSorted((a, b) => b.confidence - a.confidence)
}
