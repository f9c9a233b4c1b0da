import { z } from 'zod'
import { composeMail } from '#lib/providers/mail/compose'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type {
  MailboxConnection,
  MailOutcome,
  MailProvider,
  MayLeave,
  OutgoingMail,
} from '#lib/providers/mail/port'
import { tooLate } from '#lib/providers/mail/reply'
import { gmailFault } from '#lib/providers/mail-api/gmail/faults'
import { readMessageId } from '#lib/providers/mail-api/gmail/message-id'
import { GMAIL_ROOT, IN_ONE_CALL, uploadDraft } from '#lib/providers/mail-api/gmail/upload'
import { type ApiAnswer, type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { type ApiFault, isDone, toOutcome, toVerification } from '#lib/providers/mail-api/outcome'
import { createTurns } from '#lib/providers/mail-api/turns'

const Draft = z.object({ id: z.string().min(1) })
const Message = z.object({ id: z.string().min(1) })
const Listed = z.object({ messages: z.array(z.object({ threadId: z.string() })).optional() })

type Ask = (call: ApiCall) => Promise<ApiAnswer>

/**
 * Sends over the Gmail API. A draft is created first, since a draft cannot leave by itself: only the one call that sends it can
 * end in doubt, and that call is made once. Google signs what it sends and replaces our Message-ID by its own, which is then
 * read back.
 */
export function createGmailProvider(options: MailApiOptions): MailProvider {
  const { clock = () => new Date() } = options
  const inTurn = createTurns(4)
  const asker = ({ access_token }: MailboxConnection) => {
    const token = access_token ?? ''
    const ask: Ask = (call) => askApi(options, token, { ...call, path: `${GMAIL_ROOT}${call.path}` })
    const upload = (raw: Uint8Array, threadId: string | null) => uploadDraft(options, token, raw, threadId)
    return { ask, upload, fault: (answer: ApiAnswer) => gmailFault(answer, token, clock()) }
  }
  return {
    send: (mailbox, message, mayLeave = () => true) =>
      inTurn(mailbox.username ?? '', () => offer({ ...asker(mailbox), message, mayLeave })),
    async verify(mailbox) {
      const { ask, fault } = asker(mailbox)
      const answer = await ask({ path: '/profile' })
      if (isDone(answer)) return { ok: true }
      return toVerification(fault(answer))
    },
    close: async () => undefined,
  }
}

type Offer = {
  ask: Ask
  upload: (raw: Uint8Array, threadId: string | null) => Promise<ApiAnswer>
  fault: (answer: ApiAnswer) => ApiFault
  message: OutgoingMail
  mayLeave: MayLeave
}

async function offer(offered: Offer): Promise<MailOutcome> {
  const { ask, fault, message, mayLeave } = offered
  if (!message.draft && !mayLeave()) return tooLate()
  const draft = message.draft ? { id: message.draft } : await makeDraft(offered)
  if ('outcome' in draft) return draft
  if (!mayLeave()) {
    await ask({ method: 'DELETE', path: `/drafts/${encodeURIComponent(draft.id)}` })
    return tooLate()
  }
  const sent = await ask({ method: 'POST', path: '/drafts/send', body: { id: draft.id } })
  if (!isDone(sent)) return notSent({ ask, fault }, draft.id, sent)
  const id = Message.safeParse(sent.body).data?.id
  const known = id ? await readMessageId(ask, id) : null
  const server_message_id = known && known !== message.message_id ? known : null
  return { outcome: 'accepted', response: `${sent.status} Gmail ${id ?? ''}`.trim(), server_message_id }
}

async function makeDraft({ ask, upload, fault, message }: Offer): Promise<{ id: string } | MailOutcome> {
  const marked = { ...message, headers: { ...message.headers, [MESSAGE_REF]: message.message_id } }
  const mail = composeMail(marked, { keeps_bcc: true })
  const raw = mail.length > IN_ONE_CALL ? null : mail.toString('base64url')
  const make = (threadId: string | null) =>
    raw === null
      ? upload(mail, threadId)
      : ask({ method: 'POST', path: '/drafts', body: { message: { raw, ...(threadId && { threadId }) } } })
  const threadId = await findThread(ask, message)
  let made = await make(threadId)
  // The conversation was deleted meanwhile; the message is sent without it.
  if (threadId && (made.status === 404 || made.status === 400)) made = await make(null)
  if (!isDone(made)) return toOutcome(fault(made), false)
  const draft = Draft.safeParse(made.body)
  if (draft.success) return draft.data
  return {
    outcome: 'never_left',
    reason: 'lost',
    error: 'The Gmail API did not name the draft that it made.',
  }
}

/** The thread that the message continues: Gmail files it there only if told so. */
async function findThread(ask: Ask, { in_reply_to }: OutgoingMail): Promise<string | null> {
  if (!in_reply_to) return null
  const q = `rfc822msgid:${in_reply_to.replace(/^<|>$/g, '')}`
  const answer = await ask({ path: '/messages', query: { q, maxResults: 1, fields: 'messages(threadId)' } })
  return isDone(answer) ? (Listed.safeParse(answer.body).data?.messages?.[0]?.threadId ?? null) : null
}

/**
 * A throttled call (refused_for_now) may have sent the draft all the same. Deleting the draft settles it: if that succeeds, the
 * draft was not sent and never will be.
 */
async function notSent({ ask, fault }: Pick<Offer, 'ask' | 'fault'>, draft: string, sent: ApiAnswer) {
  const refused = fault(sent)
  const outcome = toOutcome(refused, true)
  // The next attempt, with a valid token, sends the draft that already exists.
  if (outcome.outcome === 'never_left') return { ...outcome, draft }
  const dropped = await ask({ method: 'DELETE', path: `/drafts/${encodeURIComponent(draft)}` })
  if (outcome.outcome !== 'refused_for_now' || isDone(dropped)) return outcome
  return { outcome: 'unknown' as const, error: refused.said }
}
