/** What a status says: `hard` is for good, `soft` may pass. */
export type Severity = 'hard' | 'soft'
export type Blamed = 'recipient' | 'sender' | 'message'

// Not inside an address of four numbers, a version or a date.
const ENHANCED = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/g
const BASIC = /(?<![\d.:/-])([45]\d\d)(?=[ \-:#)\]]|$)(?![-:]\d\d)/gm

/** The first enhanced status code (RFC 3463) of a text, such as "5.1.1"; those of success only where no other stands. */
export function enhancedCode(text: string): string | null {
  const codes = [...text.slice(0, 16_384).matchAll(ENHANCED)].map(([code]) => code)
  return codes.find((code) => !code.startsWith('2')) ?? codes[0] ?? null
}

/** The first SMTP reply code of refusal (RFC 5321) in a text, such as 550. */
export function basicCode(text: string): number | null {
  const [codes] = [...text.slice(0, 16_384).matchAll(BASIC)]
  return codes ? Number(codes[1]) : null
}

/** "5.0.0" says no more than "5": then the words of the other server are asked first. */
export const isVague = (code: string | null) => code === null || /^[245]\.0\.0$/.test(code)

// Said for good of what passes: nobody could be reached in time, or too much came in at once.
const PASSES =
  /(message|delivery)( time)? (has )?expired|queue\.expired|receiving (mail|email|messages) (at a rate|too quickly)/i

export function readSeverity(code: string | number | null, words = ''): Severity | null {
  if (/^5\.4\.7$/.test(`${code}`) || PASSES.test(words.slice(0, MOST_WORDS))) return 'soft'
  const first = String(code ?? '')[0]
  return first === '5' ? 'hard' : first === '4' ? 'soft' : null
}

// Words with which servers say that it is not the address which is at fault, whatever code they use.
const REPUTATION =
  /\b(spam|blocked|blacklist|block list|blocklist|denylist|spamhaus|reputation|dmarc|dkim|spf|unauthenticated|not authenticated|authentication|polic(y|ies)|unsolicited|rate limit|virus|malware|content (rejected|denied)|banned|black ?listed|dnsbls?|rbls?|listed (at|by|on)|frequency limited|junk ?mail|ptr|sender (address )?rejected|sender verify failed|(dt|hl|mi|rp):[a-z]{3}|tosa@rx\.t-online\.de)\b/i
const NO_SUCH_USER =
  /user unknown|unknown user|no such (user|person|recipient|mailbox|address)|does ?n[o']t exist|not exist|recipient ?not ?found|address not found|mailbox (unavailable|not found|unknown|is disabled)|invalid (recipient|mailbox|address)|unknown recipient|recipient unknown|account (has been )?(disabled|inactive|closed)|no mailbox here|not a valid (user|mailbox)|unrouteable address|user not found/i

/**
 * Whom a permanent refusal is about. RFC 3463: X.1.x and X.2.x speak of the recipient's address and mailbox, except
 * X.1.7 and X.1.8, which speak of the sender's; X.7.x of policy, X.3.4 and X.6.x of the message. Words decide where the
 * code is vague (X.1.0 and X.2.0 too) or misused: many servers say "5.7.1" of an unknown user, and "550" alone of spam.
 */
export function blamedBy(code: string | null, words: string): Blamed {
  const [, subject, detail] = code?.split('.') ?? []
  if (subject === '1' && detail !== '0') return detail === '7' || detail === '8' ? 'sender' : 'recipient'
  if (subject === '2' && detail !== '0') return 'recipient'
  const unknown = NO_SUCH_USER.test(words)
  if (unknown) return 'recipient'
  if (subject === '7') return 'sender'
  if (subject === '6' || (subject === '3' && detail === '4')) return 'message'
  return REPUTATION.test(words) ? 'sender' : 'recipient'
}

/** What providers document of the limits and rights of a mailbox of their own. It says nothing of whom a message was for. */
const CODES: Readonly<Record<string, SenderFaultSaid>> = {
  // Exchange Online: the mailbox's recipients of a day, and those of its whole organization.
  '5.1.90': 'throttled',
  '5.7.232': 'throttled',
  '5.7.233': 'throttled',
  // The organization is blocked: for what it sent, or from where. "Unregistered domains" are its own.
  '5.7.705': 'throttled',
  '5.7.708': 'throttled',
  '5.7.750': 'refused',
  // It may not send from this address.
  '5.2.252': 'refused',
  '5.7.60': 'refused',
}
/** Its limit is used up, or it may not send so. */
export type SenderFaultSaid = 'throttled' | 'refused'

const LIMIT =
  /submission ?quota ?exceeded|submission quota was exceeded|sending (quota|limit) exceeded|relay limit exceeded|sender thread limit exceeded|reached (a|your daily|the daily) limit for (sending|message recipients)|exceeded its daily limit for sending|exceeded the max (emails|defers and failures) per hour|exceeded (its|your|the) [\w-]{1,20} sending (limit|quota)|message quota exceeded|maximum sending rate exceeded|exceeded your messaging limits|unusual sending activity|bad outbound sender|e-?mail outgoing blocked/i
const RIGHTS =
  /SendAsDenied|permissions? to send as this sender|not owned by user|not match a verified sender identity|email address is not verified|sending paused for this account|unauthenticated senders not allowed/i

/**
 * Whether a refusal is about what the mailbox has sent, or may send, whatever its code says: Exchange tells of a used-up quota
 * by 5.2.0, which else speaks of the recipient's mailbox.
 */
export function readSenderFault(code: string | null, words: string): SenderFaultSaid | null {
  const known = code && Object.hasOwn(CODES, code) ? CODES[code] : undefined
  if (known) return known
  const said = words.slice(0, MOST_WORDS)
  if (LIMIT.test(said)) return 'throttled'
  return RIGHTS.test(said) ? 'refused' : null
}

const MOST_WORDS = 8_192

const HOUR_MS = 60 * 60_000

/** How long a used-up limit is waited for: it is one of the last 24 hours, at Google and at Microsoft, unless an hour is spoken of. */
export const limitWaitMs = (words: string): number =>
  /\b(per hour|hourly)\b/i.test(words.slice(0, MOST_WORDS)) ? HOUR_MS : 24 * HOUR_MS
