import type { DmarcReport } from '#lib/domain/domains/dmarc-report'
import { MAX_RAW } from '#lib/domain/inbox/bounds'
import type { Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { ReadMail } from '#lib/domain/inbox/read-mail'
import type { MailPiece } from '#lib/domain/inbox/written/mail-files'
import type { Reader } from '#lib/providers/reader/pool'
import type { Outcome } from '#lib/providers/reader/port'
import type { MAIL_TASKS } from '#lib/services/reading/mail-tasks'
import { readers } from '#lib/services/reading/readers'

/** Why a mail could not be read: it took too long or too much memory, crashed its reader, or its server refuses to deliver it. */
export type Unreadable = 'over_time' | 'over_memory' | 'died' | 'refused'

export type MailReader = Pick<Reader<typeof MAIL_TASKS>, 'read' | 'readParts'>

/** Limit of CPU time per mail. A wall clock limit catches only what hangs without computing. */
const CPU_MS = 2_000
const SILENCE_MS = 20_000
/** Two tries, because a reader may crash once for another reason. */
const TRIES = 2

/** A head is short, so it gets less. */
const HEAD_CPU_MS = 500

const limitsFor = (owner: string, cpu_ms = CPU_MS) => ({ owner, deadline_ms: SILENCE_MS, cpu_ms })

/**
 * Reads an incoming mail outside this process. A mail that exceeds the limits twice is `unreadable`: then only its head is returned, or
 * nothing if that cannot be read either. Throws if no reader is available, which says nothing about the mail.
 */
export async function readArrived(
  owner: string,
  raw: Uint8Array,
  received_at: Date,
  reader: MailReader = readers().mail,
): Promise<{ mail: InboundMail; reading: Reading; unreadable: Unreadable | null }> {
  const input = { raw: sliceBeginning(raw), received_at: received_at.getTime() }
  let unreadable: Unreadable = 'died'
  for (let tries = 0; tries < TRIES; tries++) {
    const end = await reader.read('inbound', input, limitsFor(owner))
    if (end.outcome === 'done') return { ...end.value, unreadable: null }
    unreadable = whyNot(end)
  }
  return readHead(owner, raw, received_at, unreadable, reader)
}

/** The head of a mail whose body cannot be read. */
export async function readHead(
  owner: string,
  raw: Uint8Array,
  received_at: Date,
  unreadable: Unreadable,
  reader: MailReader = readers().mail,
) {
  const input = { raw: sliceBeginning(raw), received_at: received_at.getTime() }
  const head = await reader.read('head', input, limitsFor(owner, HEAD_CPU_MS))
  if (head.outcome !== 'done') whyNot(head)
  return { ...(head.outcome === 'done' ? head.value : NOTHING), unreadable }
}

/** At most the readable part, plus one byte to show that there was more. */
const sliceBeginning = (raw: Uint8Array) => raw.subarray(0, MAX_RAW + 1)

function whyNot(end: Exclude<Outcome<unknown>, { outcome: 'done' }>): Unreadable {
  if (end.outcome === 'absent') throw new Error(`No reader for mail: ${end.message}`)
  return end.outcome === 'refused' ? 'died' : end.outcome
}

const NOTHING: { mail: InboundMail; reading: Reading } = {
  mail: {
    headers: [],
    from: null,
    recipients: [],
    cc: [],
    bcc: [],
    subject: '',
    date: null,
    message_id: null,
    in_reply_to: [],
    references: [],
    text: '',
    new_text: '',
    html: null,
    reports: [],
    attachments: [],
    cut: [],
  },
  reading: {
    form: 'message',
    bounce: null,
    feedback_type: null,
    unsubscribe: null,
    returns_on: null,
    absence: null,
    intent: null,
    is_bulk: false,
    about: [],
    recipients: [],
    evidence: [],
  },
}

/** A mail as its reader sees it; null where it cannot be read within the limits. */
export async function readForDisplay(owner: string, raw: Uint8Array): Promise<ReadMail | null> {
  const end = await readers().mail.read('mail', sliceBeginning(raw), limitsFor(owner))
  return end.outcome === 'done' ? end.value : null
}

/** A whole mail may be large; its reader handles no other meanwhile. */
const FILE_CPU_MS = 5_000

/** One file of a mail, by position; null if there is none, or the mail cannot be read within the limits. */
export async function readMailFile(
  owner: string,
  raw: Uint8Array,
  position: number,
): Promise<MailPiece | null> {
  const end = await readers().mail.read('file', { raw, position }, limitsFor(owner, FILE_CPU_MS))
  return end.outcome === 'done' ? end.value : null
}

/** Untrusted HTML as a document of its own (see displayDocument); null if that takes more than the limits. */
export async function readDisplayHtml(owner: string, html: string): Promise<string | null> {
  const end = await readers().mail.read('display', html, limitsFor(owner))
  return end.outcome === 'done' ? end.value : null
}

/** The DMARC reports attached to a mail; null if they cannot be read within the limits. */
export async function readReportMail(
  owner: string,
  raw: Uint8Array,
  reader: MailReader = readers().mail,
): Promise<DmarcReport[] | null> {
  const end = await reader.read('reports_of_mail', sliceBeginning(raw), limitsFor(owner))
  return end.outcome === 'done' ? end.value : null
}

/** The DMARC reports in a file; null if they cannot be read within the limits. */
export async function readReportFile(owner: string, bytes: Uint8Array): Promise<DmarcReport[] | null> {
  const end = await readers().mail.read('reports_of_file', bytes, limitsFor(owner))
  return end.outcome === 'done' ? end.value : null
}
