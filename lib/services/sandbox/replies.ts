import type { z } from 'zod'
import type { AnswerSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { db } from '#lib/db/client'
import { uuidv7 } from '#lib/db/uuid'
import { answerMail } from '#lib/domain/sandbox/sandbox-answers'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { InboundArrived } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { deliverRaw } from '#lib/providers/mail/deliver'
import { sandboxCredentials } from '#lib/providers/mail/sandbox-credentials'
import { readForDisplay } from '#lib/services/reading/mail'
import { findMessage } from '#lib/services/senders/sandbox'

/**
 * Answers a sandbox mail as its recipient, or the recipient's mail server, would: the answer is sent by SMTP to the sandbox's server,
 * addressed to the mailbox that sent the mail, and arrives like any other.
 */
export async function answerSandboxMessage(
  workspaceId: string,
  id: string,
  { kind, text, until }: z.output<typeof AnswerSandboxMessage.body>,
  now: Date,
): Promise<{ sent_to: string }> {
  const { raw, ...row } = await findMessage(workspaceId, id)
  const port = env().SANDBOX_SMTP_PORT
  if (port === undefined) throw new AppError('not_found', { message: 'This instance has no sandbox.' })
  const mailbox =
    row.from_mailbox_id &&
    (await db.mailbox.findFirst({ where: { workspace_id: workspaceId, mailbox_id: row.from_mailbox_id } }))
  if (!mailbox)
    throw new AppError('invalid_state', {
      message: 'The mailbox that sent it was removed, so the reply would not be read.',
    })
  const mail = await readForDisplay(workspaceId, raw)
  const [head = ''] = new TextDecoder().decode(raw).split(/\r?\n\r?\n/, 1)
  const answered = { ...row, message_id: row.message_id ?? '', head, text: mail?.text ?? '' }
  const { envelope_from, raw: answer } = answerMail(kind, answered, {
    id: uuidv7(now),
    at: now,
    ...(text && { text }),
    ...(until && { until }),
  })
  const outcome = await deliverRaw(
    port,
    { from: envelope_from, to: mailbox.address },
    answer,
    sandboxCredentials({ role: 'to', mailbox_id: mailbox.mailbox_id }, env().ENCRYPTION_KEY),
  )
  if (outcome.outcome !== 'accepted')
    throw new AppError('provider_rejected', {
      message: 'The sandbox did not accept the reply. Is it running?',
    })
  await emit(InboundArrived.create({ mailbox_id: mailbox.mailbox_id }))
  return { sent_to: mailbox.address }
}
