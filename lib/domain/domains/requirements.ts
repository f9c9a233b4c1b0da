import type { Alignment } from '#lib/domain/domains/alignment'
import { type DmarcPolicy, dmarcPolicy } from '#lib/domain/domains/dmarc'
import type { Checks, RecordCheck } from '#lib/domain/domains/record-check'

export const INBOX_PROVIDERS = ['gmail', 'yahoo', 'outlook'] as const
export type InboxProvider = (typeof INBOX_PROVIDERS)[number]

/** The sender guidelines of the three providers; each counts a sender of about 5,000 messages a day to it as a bulk sender. */
export const SOURCES: Record<InboxProvider, { title: string; url: string }> = {
  gmail: {
    title: 'Email sender guidelines (Google)',
    url: 'https://support.google.com/a/answer/81126',
  },
  yahoo: {
    title: 'Sender Best Practices (Yahoo Sender Hub)',
    url: 'https://senders.yahooinc.com/best-practices/',
  },
  outlook: {
    title: 'Outlook’s requirements for high-volume senders (Microsoft)',
    url: 'https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730',
  },
}

/** The complaint rate per delivered message that must never be reached; it should stay below the lower one. */
export const MAX_COMPLAINT_RATE = 0.003
export const GOOD_COMPLAINT_RATE = 0.001
/** With fewer messages, a rate is chance. */
const MIN_SENT = 300

/** Names of a mailbox's server, forwards and reverse. */
export type ServerFacts = {
  host: string
  /** The provider that runs it, or null for one's own server. */
  provider: string | null
  encrypted: boolean
  /** Whether its address has a reverse name that resolves back to it; null if unknown. */
  reverse_name: { ok: boolean; detail: string } | null
}

export type RequirementFacts = {
  domain: string
  checks: Checks
  mailboxes: { address: string; alignment: Alignment }[]
  servers: ServerFacts[]
  /** Mail from this domain's mailboxes in the last 30 days. */
  sent: number
  complaints: number
}

export const VERDICTS = ['met', 'not_met', 'unknown'] as const
export type Verdict = { status: (typeof VERDICTS)[number]; reason: string }

type Requirement = {
  id: string
  title: string
  demanded_by: readonly InboxProvider[]
  judge: (facts: RequirementFacts) => Verdict
}

const met = (reason: string): Verdict => ({ status: 'met', reason })
const notMet = (reason: string): Verdict => ({ status: 'not_met', reason })
const unknown = (reason: string): Verdict => ({ status: 'unknown', reason })
const ALL = INBOX_PROVIDERS

/** Every requirement of the three providers, with the check for it. The wording is ours; the source is named. */
export const REQUIREMENTS: Requirement[] = [
  {
    id: 'spf',
    title: 'SPF permits the sending servers',
    demanded_by: ALL,
    judge: ({ checks }) => ofRecord(checks.spf, 'SPF record'),
  },
  {
    id: 'dkim',
    title: 'Mail is signed with DKIM',
    demanded_by: ALL,
    judge: ({ checks }) =>
      ofRecord(checks.dkim, 'DKIM record', 'Mail is signed with this key (RSA, 2048 bits).'),
  },
  {
    id: 'dmarc',
    title: 'A DMARC policy, at least p=none',
    demanded_by: ALL,
    judge: ({ checks }) => {
      const policy: DmarcPolicy | null = dmarcPolicy(checks.dmarc?.found[0] ?? '')
      return ofRecord(checks.dmarc, 'DMARC record', `The policy is ${policy}.`)
    },
  },
  {
    id: 'alignment',
    title: 'From matches SPF or DKIM (DMARC alignment)',
    demanded_by: ALL,
    judge: ({ mailboxes, domain }) => {
      if (mailboxes.length === 0) return unknown(`No mailbox at ${domain} is connected.`)
      const bad = mailboxes.filter(({ alignment }) => !alignment.dmarc)
      if (bad.length === 0) return met('The mail of every mailbox is aligned.')
      const alike = [...Map.groupBy(bad, ({ alignment }) => alignment.reason)]
      return notMet(
        alike.map(([why, of]) => `${of.map(({ address }) => address).join(', ')}: ${why}`).join(' '),
      )
    },
  },
  {
    id: 'one_click_unsubscribe',
    title: 'One-click unsubscribe in the header (RFC 8058), and a visible link',
    demanded_by: ['gmail', 'yahoo'],
    judge: () =>
      met('Every campaign mail carries List-Unsubscribe, List-Unsubscribe-Post and a link in its text.'),
  },
  {
    id: 'unsubscribe_honoured',
    title: 'Unsubscribes are honoured within two days',
    demanded_by: ['gmail', 'yahoo'],
    judge: () => met('They apply immediately. Nothing more is sent to that address.'),
  },
  {
    id: 'tls',
    title: 'Mail is sent over an encrypted connection (TLS)',
    demanded_by: ['gmail'],
    judge: ({ servers }) => {
      if (servers.length === 0) return unknown('No mailbox with a server on the internet is connected.')
      const open = servers.filter(({ encrypted }) => !encrypted).map(({ host }) => host)
      if (open.length > 0)
        return notMet(`Mail goes to ${open.join(', ')} unencrypted. Choose STARTTLS or TLS.`)
      return met(
        'Mail goes to your server encrypted. Whether it stays encrypted after that depends on your server.',
      )
    },
  },
  {
    id: 'complaint_rate',
    title: 'Fewer than 0.3 % complaints, better below 0.1 %',
    demanded_by: ['gmail', 'yahoo'],
    judge: ({ sent, complaints }) => {
      const percent = `${((100 * complaints) / Math.max(1, sent)).toFixed(2)} %`
      const seen = `${complaints} complaints on ${sent} mails in 30 days (${percent})`
      if (complaints > 0 && complaints / Math.max(1, sent) >= MAX_COMPLAINT_RATE && sent >= MIN_SENT)
        return notMet(`${seen}.`)
      if (sent < MIN_SENT)
        return unknown(`${seen}: too few to tell. Gmail shows its rate only in Postmaster Tools.`)
      const close = complaints / sent >= GOOD_COMPLAINT_RATE ? ' That is close to the limit.' : ''
      return met(`${seen}, of those reported to us. Gmail shows its rate only in Postmaster Tools.${close}`)
    },
  },
  {
    id: 'reverse_dns',
    title: 'The sending server’s address has a matching reverse DNS name (PTR)',
    demanded_by: ['gmail', 'yahoo'],
    judge: ({ servers }) => judgeReverse(servers),
  },
  {
    id: 'reply_address',
    title: 'From is an address that accepts replies (good practice)',
    demanded_by: ['outlook'],
    judge: ({ checks }) => ofRecord(checks.mx, 'MX record', 'The domain accepts mail.'),
  },
  {
    id: 'message_format',
    title: 'Well-formed messages (RFC 5322) with one From and a Message-ID',
    demanded_by: ['gmail', 'yahoo'],
    judge: () => met('Messages have both. From is always the mailbox’s own address.'),
  },
]

function ofRecord(check: RecordCheck | undefined, what: string, good?: string): Verdict {
  if (!check?.checked_at)
    return unknown(check?.failure ? `DNS did not answer: ${check.failure}` : 'Not looked up yet.')
  if (check.status === 'found') return met(good ?? check.note ?? `The ${what} is correct.`)
  return notMet(
    check.note ?? (check.status === 'missing' ? `There is no ${what}.` : `The ${what} is different.`),
  )
}

function judgeReverse(servers: ServerFacts[]): Verdict {
  if (servers.length === 0) return unknown('No mailbox with a server on the internet is connected.')
  const bad = servers.filter(({ reverse_name }) => reverse_name?.ok === false)
  if (bad.length > 0) return notMet(bad.map(({ reverse_name }) => reverse_name?.detail).join(' '))
  const open = servers.filter(({ provider, reverse_name }) => !provider && !reverse_name)
  if (open.length > 0) return unknown(`Not looked up yet: ${open.map(({ host }) => host).join(', ')}.`)
  const own = servers.filter(({ provider }) => !provider)
  if (own.length === 0) return met('Your provider’s servers have them.')
  return met(
    `${own.map(({ reverse_name }) => reverse_name?.detail).join(' ')} If it sends from another address, check that too.`,
  )
}

export function judgeRequirements(facts: RequirementFacts) {
  return REQUIREMENTS.map(({ id, title, demanded_by, judge }) => ({
    id,
    title,
    ...judge(facts),
    demanded_by: [...demanded_by],
    sources: demanded_by.map((provider) => ({ provider, ...SOURCES[provider] })),
  }))
}
