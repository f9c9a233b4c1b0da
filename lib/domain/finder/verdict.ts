export const EMAIL_STATUSES = ['valid', 'invalid', 'risky', 'unknown'] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]

/** The reasons for a status: our own, and further ones of verification services. */
export const VERIFICATION_CODES = [
  'accepted',
  'malformed',
  'no_such_domain',
  'takes_no_mail',
  'no_mail_server',
  'no_such_mailbox',
  'mailbox_full',
  'spam_trap',
  'disposable',
  'role',
  'catch_all',
  'complains',
  'do_not_mail',
  'dns_failed',
  'deferred',
  'not_asked',
] as const
export type VerificationCode = (typeof VERIFICATION_CODES)[number]

/** The mail servers of a domain, according to DNS. */
export type MailRoute =
  | { kind: 'servers'; hosts: string[] }
  /** RFC 7505: the domain declares that it accepts no mail. */
  | { kind: 'refuses' }
  | { kind: 'no_domain' }
  /** No MX, but an address: RFC 5321 section 5.1 delivers mail there. */
  | { kind: 'implicit'; hosts: string[] }
  | { kind: 'none' }
  | { kind: 'unknown'; error: string }

/** The server's answer, or why it was not asked. */
export type ProbeFact =
  | {
      kind: 'answered'
      answer: 'accepted' | 'refused' | 'deferred' | 'failed'
      catch_all: boolean | null
      response: string
    }
  | {
      kind: 'not_asked'
      why: 'off' | 'silent_provider' | 'busy' | 'limited' | 'not_needed'
      provider?: string
    }

export type Facts = {
  faults: readonly ('disposable' | 'role')[]
  route: MailRoute
  probe: ProbeFact
}

export type Verdict = { status: EmailStatus; code: VerificationCode; reason: string }

/** The status of a well-formed address, with its reason. Without a server's confirmation it is at best `unknown`, never `valid`. */
export function judgeAddress({ faults, route, probe }: Facts): Verdict {
  const dead = deadEnd(route)
  if (dead) return dead
  if (probe.kind === 'answered' && probe.answer === 'refused')
    return {
      status: 'invalid',
      code: 'no_such_mailbox',
      reason: `Its mail server says there is no such mailbox: ${quoted(probe.response)}`,
    }
  if (faults.includes('disposable'))
    return {
      status: 'risky',
      code: 'disposable',
      reason: 'The domain provides disposable addresses.',
    }
  const said = probe.kind === 'answered' ? answered(probe) : notAsked(probe)
  if (said.status === 'valid' && faults.includes('role'))
    return {
      status: 'risky',
      code: 'role',
      reason: 'Its mail server accepts it, but it is a team address, not one person’s.',
    }
  if (said.status === 'unknown' && faults.includes('role'))
    return { status: 'risky', code: 'role', reason: `It is a team address, not one person’s. ${said.reason}` }
  return said
}

function deadEnd(route: MailRoute): Verdict | null {
  switch (route.kind) {
    case 'no_domain':
      return { status: 'invalid', code: 'no_such_domain', reason: 'The domain does not exist.' }
    case 'refuses':
      return {
        status: 'invalid',
        code: 'takes_no_mail',
        reason: 'The domain states in its DNS that it accepts no mail.',
      }
    case 'none':
      return { status: 'invalid', code: 'no_mail_server', reason: 'The domain has no mail server.' }
    case 'unknown':
      return {
        status: 'unknown',
        code: 'dns_failed',
        reason: `The DNS of the domain did not answer (${route.error}). Try again later.`,
      }
    default:
      return null
  }
}

const quoted = (response: string) => `“${response.replace(/\s+/g, ' ').slice(0, 160)}”`

function answered(probe: Extract<ProbeFact, { kind: 'answered' }>): Verdict {
  if (probe.answer === 'deferred')
    return {
      status: 'unknown',
      code: 'deferred',
      reason: `Its mail server postponed the check, as many do with unknown senders: ${quoted(probe.response)}`,
    }
  if (probe.answer === 'failed')
    return {
      status: 'unknown',
      code: 'not_asked',
      reason: `Its mail server could not be checked: ${quoted(probe.response)}`,
    }
  if (probe.catch_all === true)
    return {
      status: 'risky',
      code: 'catch_all',
      reason: 'The domain accepts mail for any name, so this address cannot be confirmed.',
    }
  if (probe.catch_all === null)
    return {
      status: 'unknown',
      code: 'not_asked',
      reason: 'Its mail server accepts it, but may accept any name.',
    }
  return {
    status: 'valid',
    code: 'accepted',
    reason: 'Its mail server accepts it, and refuses names that do not exist.',
  }
}

function notAsked(probe: Extract<ProbeFact, { kind: 'not_asked' }>): Verdict {
  const reasons: Record<typeof probe.why, string> = {
    off: 'The domain accepts mail. Its server was not checked, because that is turned off here.',
    silent_provider: `The domain’s mail is with ${probe.provider ?? 'a provider'}, which does not reveal which addresses exist.`,
    busy: 'Its mail server is busy with another check. Try again in a moment.',
    limited: 'Its mail server was checked too often. Try again later.',
    not_needed: 'The domain accepts mail. Its server was not asked about the address.',
  }
  return { status: 'unknown', code: 'not_asked', reason: reasons[probe.why] }
}

/** The confidence of a guess after verification: confirmed and refused addresses are nearly certain, others keep the guess. */
export function settledConfidence(guess: number, status: EmailStatus): number {
  if (status === 'valid') return 98
  return status === 'invalid' ? 0 : guess
}
