import { readHeader } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { Severity } from '#lib/domain/inbox/status-code'

export type BounceWords = {
  severity: Severity | null
  is_final: boolean
  recipients: string[]
  diagnostic: string | null
  /** Where status codes are searched: not in the returned message. */
  excerpt: string
  evidence: { rule: string; found: string }[]
}

const DAEMON =
  /^(mailer-?daemon|mail-?daemon|postmaster|mdaemon|mmdf|mail\.delivery\.subsystem|microsoftexchange[0-9a-f]+|bounces?|double-bounce)@/i
const DAEMON_NAME =
  /mail delivery (sub)?system|mailer-daemon|mail administrator|microsoft outlook|postmaster|system administrator/i

// Anchored at the start: "Re: Undeliverable: …" is written by a person.
const SUBJECTS = [
  'undelivered mail returned to sender',
  'undeliverable',
  'undelivered',
  'failure notice',
  'mail delivery fail(ed|ure)',
  'delivery status notification ?\\((failure|delay|mixed)\\)',
  'delivery (has )?failed',
  'delivery failure',
  'message delivery failure',
  'returned mail',
  'mail system error',
  'mail could not be delivered',
  'message (could not|not) (be )?delivered',
  '(warning: )?(could not send message|message \\S+ delayed)',
  'delayed mail',
  'delivery delayed',
  'warning: message delayed',
  'unzustellbar',
  'nicht zustellbar',
  'zustellung (fehlgeschlagen|verzögert)',
  'non remis',
  'non délivrable',
  'échec de (la )?remise',
  'no se puede entregar',
  'no entregado',
  'error de entrega',
  'non recapitabile',
  'impossibile recapitare',
  'onbestelbaar',
  'não é possível entregar',
  'não entregue',
  'falha na entrega',
  'kan inte levereras',
  'kunne ikke leveres',
  'kan ikke leveres',
  'niedostarczalne',
  'nie można dostarczyć',
  'недоставленное',
  '配信不能',
  '无法送达',
  '系统退信',
].join('|')
const SUBJECT = new RegExp(`^\\s*(\\[[^\\]]{0,40}\\]\\s*)?(${SUBJECTS})`, 'i')

const DELAY =
  /will (keep|continue) trying|still being (retried|tried)|no action is required|delayed|will be retried|warning message only|not yet been delivered|delivery is delayed|temporary problem delivering|wird weiterhin versucht|verzögert|retardée|retrasad/i
/** The same, for servers that also say what happens once they give up. */
const WARNING =
  /will (keep|continue) trying|will continue for some time|will (retry|be retried)|still being (retried|tried)|(this is a|message) warning( message)? only|not yet been delivered|(do not|don't) need to resend|will (then |eventually )?give up|notified if (the )?delivery fails|wird weiterhin versucht/i
const GAVE_UP =
  /giv(e|en|ing) up|gave up|permanent(ly)?|has failed|failed permanently|could not be delivered|couldn't be delivered|wasn't delivered|was not delivered|unable to deliver|returned to sender|retry time(out)? exceeded|expired/i
const SOFT =
  /mailbox (is )?full|over (its )?quota|quota exceeded|exceeded (storage|its quota)|insufficient (system )?storage|temporar(y|ily) (failure|rejected|deferred|unavailable)|try again later|greylist|retry time(out)? exceeded|connection (timed out|refused)|message expired|has been in the queue too long|host (is )?unreachable|too many (connections|messages)/i
const HARD =
  /user unknown|unknown user|no such (user|recipient|mailbox|person)|does ?n[o']t (exist|have)|not exist|address (not found|rejected)|(recipient|user) not found|recipient (unknown|rejected|address rejected)|mailbox (unavailable|not found|unknown|disabled)|invalid (recipient|mailbox)|unrouteable address|account (has been )?(disabled|closed)|host (or domain name )?not found|name service error|domain (not found|does not exist)|no mailbox here by that name|permanent (fatal )?error|wasn't found at|couldn't be found|nicht gefunden|introuvable|no se encontró|unbekannter empf/i

/** Matches the line above the returned message. */
const RETURNED_BELOW =
  /^(-{2,}.{0,60}(original|returned|copy of|below this line|included|return).{0,60}$|-+ ?this is a copy of.{0,80}$|original message headers:?$|------ this is a copy)/im

/**
 * Recognizes bounces written as free text: by Exim, qmail, older Exchange, Gmail, Yahoo, sendmail and similar
 * servers.
 */
export function bounceWords(mail: InboundMail): BounceWords | null {
  const failedHeader = readHeader(mail, 'x-failed-recipients')
  const isDaemon = DAEMON.test(mail.from?.address ?? '') || DAEMON_NAME.test(mail.from?.name ?? '')
  const isSubject = SUBJECT.test(mail.subject)
  const isNull = /^<\s*>$/.test(readHeader(mail, 'return-path'))
  const text = mail.text.slice(0, 32_768)
  const cut = RETURNED_BELOW.exec(text)?.index ?? -1
  const excerpt = `${mail.subject}\n${cut > 40 ? text.slice(0, cut) : text.slice(0, 8_192)}`
  const speaks = [SOFT, HARD, GAVE_UP, DELAY, WARNING].some((words) => words.test(excerpt))
  const isBounce =
    failedHeader !== '' ||
    (isDaemon && (isSubject || speaks)) ||
    (isSubject && (isNull || isDaemon) && speaks)
  if (!isBounce) return null
  const is_final = !WARNING.test(excerpt) && (!DELAY.test(excerpt) || GAVE_UP.test(excerpt))
  const soft = SOFT.exec(excerpt)
  const hard = HARD.exec(excerpt)
  return {
    severity: hard ? 'hard' : soft ? 'soft' : null,
    is_final,
    recipients: recipientsIn(failedHeader, excerpt, mail),
    diagnostic: diagnosticIn(excerpt),
    excerpt,
    evidence: [
      ...(failedHeader ? [{ rule: 'x_failed_recipients', found: failedHeader.slice(0, 200) }] : []),
      ...(isDaemon ? [{ rule: 'from_mail_system', found: mail.from?.address ?? '' }] : []),
      ...(isSubject ? [{ rule: 'bounce_subject', found: mail.subject.slice(0, 200) }] : []),
      ...[hard ?? soft].flatMap((match) => (match ? [{ rule: 'bounce_words', found: match[0] }] : [])),
    ],
  }
}

const ADDRESS = /[^\s<>;,:"'()[\]]{1,200}@[a-z0-9][a-z0-9.-]{0,200}[a-z0-9]/gi

/**
 * The failed recipients: from the header, else every address in the report except those of the mail system
 * and the sender.
 */
function recipientsIn(failedHeader: string, excerpt: string, mail: InboundMail): string[] {
  const own = new Set([mail.from?.address, ...mail.recipients.map(({ address }) => address)])
  const matches = (failedHeader || excerpt).match(ADDRESS) ?? []
  const all = matches
    .map((address) => address.toLowerCase())
    .filter((each) => !own.has(each) && !DAEMON.test(each))
  return [...new Set(all)].slice(0, 20)
}

/** The line with a reply code, which is the other server's answer. */
function diagnosticIn(excerpt: string): string | null {
  const line = excerpt
    .split('\n')
    .find((each) => /(?<![\d.])[45]\d\d[ \-#]|(?<![\d.])[45]\.\d+\.\d+/.test(each))
  return line?.trim().slice(0, 1_000) ?? null
}
