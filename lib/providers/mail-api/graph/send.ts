import { z } from 'zod'
import { composeMail } from '#lib/providers/mail/compose'
import type {
  MailboxConnection,
  MailFile,
  MailOutcome,
  MailProvider,
  MayLeave,
  OutgoingMail,
} from '#lib/providers/mail/port'
import { tooLate } from '#lib/providers/mail/reply'
import { type AskGraph, graphAsker, REF_PROPERTY } from '#lib/providers/mail-api/graph/ask'
import { attachFile, IN_ONE_CALL } from '#lib/providers/mail-api/graph/attach'
import { graphFault } from '#lib/providers/mail-api/graph/faults'
import type { ApiAnswer, MailApiOptions } from '#lib/providers/mail-api/http'
import { type ApiFault, isDone, toOutcome, toVerification } from '#lib/providers/mail-api/outcome'
import { createTurns } from '#lib/providers/mail-api/turns'

/** PidTagListUnsubscribe: Graph accepts this header only as a property. */
const LIST_UNSUBSCRIBE = 'String 0x1045'

const Draft = z.object({ id: z.string().min(1), internetMessageId: z.string().optional() })
const Message = z.object({ isDraft: z.boolean().optional(), internetMessageId: z.string().optional() })

/**
 * Sends over Microsoft Graph. A draft is created first, from the same bytes that SMTP would send, since a draft cannot leave by
 * itself: only the one call that sends it can end in doubt, and that call is made once.
 */
export function createGraphProvider(options: MailApiOptions): MailProvider {
  // Exchange serves at most four requests at once per app and mailbox.
  const inTurn = createTurns(4)
  const asker = (mailbox: MailboxConnection) => {
    const ask = graphAsker(options, mailbox)
    return {
      ask,
      attach: (path: string, file: MailFile) => attachFile(options, ask, path, file),
      fault: (answer: ApiAnswer) => graphFault(answer, mailbox.access_token ?? ''),
    }
  }
  return {
    send: (mailbox, message, mayLeave = () => true) =>
      inTurn(mailbox.username ?? '', () => offer({ ...asker(mailbox), message, mayLeave })),
    async verify(mailbox) {
      const { ask, fault } = asker(mailbox)
      const answer = await ask({ path: '/mailFolders/inbox', query: { $select: 'id' } })
      if (isDone(answer)) return { ok: true }
      return toVerification(fault(answer))
    },
    close: async () => undefined,
  }
}

type Offer = {
  ask: AskGraph
  attach: (path: string, file: MailFile) => Promise<ApiAnswer>
  fault: (answer: ApiAnswer) => ApiFault
  message: OutgoingMail
  mayLeave: MayLeave
}

async function offer(offered: Offer): Promise<MailOutcome> {
  const { ask, fault, message, mayLeave } = offered
  if (!message.draft && !mayLeave()) return tooLate()
  const draft = message.draft ? { id: message.draft } : await makeDraft(offered)
  if ('outcome' in draft) return draft
  const path = `/messages/${encodeURIComponent(draft.id)}`
  const untagged = await tag(offered, path)
  if (untagged) return { ...untagged, ...(untagged.outcome === 'never_left' && { draft: draft.id }) }
  if (!mayLeave()) {
    await ask({ method: 'DELETE', path })
    return tooLate()
  }
  const sent = await ask({ method: 'POST', path: `${path}/send` })
  if (!isDone(sent)) return notSent({ ask, fault }, { path, id: draft.id }, sent)
  const read = Message.safeParse((await readState(ask, path))?.body)
  const known =
    read.data?.internetMessageId ?? ('internetMessageId' in draft ? draft.internetMessageId : null)
  const server_message_id = known && known !== message.message_id ? known : null
  return { outcome: 'accepted', response: `${sent.status} Microsoft Graph`, server_message_id }
}

async function makeDraft(offered: Offer): Promise<z.output<typeof Draft> | MailOutcome> {
  const { ask, fault, message } = offered
  const whole = composeMail(message, { keeps_bcc: true })
  const isLarge = whole.length > IN_ONE_CALL
  const mail = isLarge ? composeMail({ ...message, attachments: [] }, { keeps_bcc: true }) : whole
  const made = await ask({
    method: 'POST',
    path: '/messages',
    headers: { 'content-type': 'text/plain' },
    body: mail.toString('base64'),
  })
  if (!isDone(made)) return toOutcome(fault(made), false)
  const draft = Draft.safeParse(made.body)
  if (draft.success) return (isLarge ? await attachAll(offered, draft.data) : null) ?? draft.data
  return {
    outcome: 'never_left',
    reason: 'lost',
    error: 'Microsoft Graph did not name the draft that it made.',
  }
}

/** A draft without all of its files must never be sent: it is deleted, and the next attempt creates another. */
async function attachAll({ ask, attach, fault, message }: Offer, { id }: { id: string }) {
  const path = `/messages/${encodeURIComponent(id)}`
  for (const file of message.attachments ?? []) {
    const answer = await attach(path, file)
    if (isDone(answer)) continue
    await ask({ method: 'DELETE', path })
    return toOutcome(fault(answer), false)
  }
  return null
}

/** Sets the property by which a copy is recognized. If only the property is refused, the message is sent without it. */
async function tag(
  { ask, fault, message }: Omit<Offer, 'attach'>,
  path: string,
): Promise<MailOutcome | null> {
  const unsubscribe = message.headers['List-Unsubscribe']
  const body = {
    singleValueExtendedProperties: [
      { id: REF_PROPERTY, value: message.message_id },
      ...(unsubscribe ? [{ id: LIST_UNSUBSCRIBE, value: unsubscribe }] : []),
    ],
  }
  const answer = await ask({ method: 'PATCH', path, body })
  if (isDone(answer)) return null
  const outcome = toOutcome(fault(answer), false)
  return outcome.outcome === 'refused_for_good' && outcome.blames === 'message' ? null : outcome
}

async function readState(ask: AskGraph, path: string) {
  const answer = await ask({ path, query: { $select: 'isDraft,internetMessageId' } })
  return isDone(answer) ? answer : null
}

/**
 * A throttled call (refused_for_now) may have sent the draft all the same: only a message that is still a draft was not sent. If
 * the outcome is unknown the draft is left alone, since deleting it could delete the copy in Sent.
 */
async function notSent(
  { ask, fault }: Pick<Offer, 'ask' | 'fault'>,
  draft: { path: string; id: string },
  sent: ApiAnswer,
): Promise<MailOutcome> {
  const refused = fault(sent)
  const outcome = toOutcome(refused, true)
  if (outcome.outcome === 'never_left') return { ...outcome, draft: draft.id }
  if (outcome.outcome === 'unknown') return outcome
  const isDraft = Message.safeParse((await readState(ask, draft.path))?.body).data?.isDraft
  if (isDraft) await ask({ method: 'DELETE', path: draft.path })
  if (isDraft || outcome.outcome !== 'refused_for_now') return outcome
  return { outcome: 'unknown', error: refused.said }
}
