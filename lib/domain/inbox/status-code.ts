/** How final a status is: `hard` is permanent, `soft` may pass. */
export type Severity = 'hard' | 'soft'
export type Blamed = 'recipient' | 'sender' | 'message'

// Not inside an IP address, a version or a date.
const ENHANCED = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/g
const BASIC = /(?<![\d.:/-])([45]\d\d)(?=[ \-:#)\]]|$)(?![-:]\d\d)/gm

/**
 * The first enhanced status code (RFC 3463) in a text, such as "5.1.1"; a success code only if there is no
 * other.
 */
export function enhancedCode(text: string): string | null {
  const codes = [...text.slice(0, 16_384).matchAll(ENHANCED)].map(([code]) => code)
  return codes.find((code) => !code.startsWith('2')) ?? codes[0] ?? null
}

/** The first SMTP refusal code (RFC 5321) in a text, such as 550. */
export function basicCode(text: string): number | null {
  const [codes] = [...text.slice(0, 16_384).matchAll(BASIC)]
  return codes ? Number(codes[1]) : null
}

/** "5.0.0" says no more than "5", so the other server's words are checked first. */
export const isVague = (code: string | null) => code === null || /^[245]\.0\.0$/.test(code)

// Failures reported as permanent that may pass: delivery timed out, or too much mail arrived at once.
const PASSES =
  /(message|delivery)( time)? (has )?expired|queue\.expired|receiving (mail|email|messages) (at a rate|too quickly)/i

export function readSeverity(code: string | number | null, words = ''): Severity | null {
  if (/^5\.4\.7$/.test(`${code}`) || PASSES.test(words.slice(0, MOST_WORDS))) return 'soft'
  const first = String(code ?? '')[0]
  return first === '5' ? 'hard' : first === '4' ? 'soft' : null
}

// Words with which servers say that the address is not at fault, whatever code they use.
const REPUTATION =
  /\b(spam|blocked|blacklist|block list|blocklist|denylist|spamhaus|reputation|dmarc|dkim|spf|unauthenticated|not authenticated|authentication|polic(y|ies)|unsolicited|rate limit|virus|malware|content (rejected|denied)|banned|black ?listed|dnsbls?|rbls?|listed (at|by|on)|frequency limited|junk ?mail|ptr|sender (address )?rejected|sender verify failed|(dt|hl|mi|rp):[a-z]{3}|tosa@rx\.t-online\.de)\b/i
const NO_SUCH_USER =
  /user unknown|unknown user|no such (user|person|recipient|mailbox|address)|does ?n[o']t exist|not exist|recipient ?not ?found|address not found|mailbox (unavailable|not found|unknown|is disabled)|invalid (recipient|mailbox|address)|unknown recipient|recipient unknown|account (has been )?(disabled|inactive|closed)|no mailbox here|not a valid (user|mailbox)|unrouteable address|user not found/i

/**
 * Who a permanent refusal is about. RFC 3463: X.1.x and X.2.x concern the recipient's address and mailbox,
 * except X.1.7 and X.1.8, which concern the sender's; X.7.x is policy; X.3.4 and X.6.x concern the message.
 * The words decide if the code is vague (including X.1.0 and X.2.0) or misused: many servers use "5.7.1" for
 * unknown users, and plain "550" for spam.
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

/**
 * Codes that providers document for limits and permissions of their own mailboxes. They say nothing about the
 * recipient.
 */
const CODES: Readonly<Record<string, SenderFaultSaid>> = {
  // Exchange Online: daily recipients of the mailbox, and of the whole organization.
  '5.1.90': 'throttled',
  '5.7.232': 'throttled',
  '5.7.233': 'throttled',
  // The organization is blocked for what it sent or where it sent from. "Unregistered domains" are its own.
  '5.7.705': 'throttled',
  '5.7.708': 'throttled',
  '5.7.750': 'refused',
  // Not allowed to send from this address.
  '5.2.252': 'refused',
  '5.7.60': 'refused',
}
/** The mailbox's limit is used up, or it is not allowed to send like this. */
export type SenderFaultSaid = 'throttled' | 'refused'

const LIMIT =
  /submission ?quota ?exceeded|submission quota was exceeded|sending (quota|limit) exceeded|relay limit exceeded|sender thread limit exceeded|reached (a|your daily|the daily) limit for (sending|message recipients)|exceeded its daily limit for sending|exceeded the max (emails|defers and failures) per hour|exceeded (its|your|the) [\w-]{1,20} sending (limit|quota)|message quota exceeded|maximum sending rate exceeded|exceeded your messaging limits|unusual sending activity|bad outbound sender|e-?mail outgoing blocked/i
const RIGHTS =
  /SendAsDenied|permissions? to send as this sender|not owned by user|not match a verified sender identity|email address is not verified|sending paused for this account|unauthenticated senders not allowed/i

/**
 * Whether a refusal concerns what the mailbox has sent or may send, whatever its code: Exchange reports a
 * used-up quota as 5.2.0, which otherwise concerns the recipient's mailbox.
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

/**
 * How long to wait when a limit is used up. Google and Microsoft count the last 24 hours, unless the text
 * mentions an hour.
 */
export const limitWaitMs = (words: string): number =>
  /\b(per hour|hourly)\b/i.test(words.slice(0, MOST_WORDS)) ? HOUR_MS : 24 * HOUR_MS
