import type { z } from 'zod'
import type { DraftInboxReply } from '#lib/contracts/inbox/inbox-answers'
import { db } from '#lib/db/client'
import { newText } from '#lib/domain/inbox/new-text'
import { shownCells, textCells } from '#lib/domain/personalize/material'
import { latestMessages, REPLY_INSTRUCTIONS, replyBlock } from '#lib/domain/personalize/reply-prompt'
import { replyFlags, replySources } from '#lib/domain/personalize/reply-sources'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import type { Writer } from '#lib/providers/ai/port'
import { writeOnce } from '#lib/providers/ai/write'
import { readInboxMessages } from '#lib/services/inbox/messages'
import { readInboxThread } from '#lib/services/inbox/threads'
import { configuredWriter } from '#lib/services/personalize/writer'
import { requireAiBudget, withinAiBudget } from '#lib/services/workspaces/ai-budget'

/**
 * Proposes a reply, with the name of the model that wrote it. Nothing is stored or sent; the user decides.
 */
export async function draftInboxReply(
  { workspace_id: workspaceId, user_id }: Maker,
  threadId: string,
  now: Date,
  writer: Writer = configuredWriter(),
): Promise<z.input<typeof DraftInboxReply.response>> {
  await requireAiBudget(writer, workspaceId, now)
  const [thread, messages, user] = await Promise.all([
    readInboxThread(workspaceId, threadId, now),
    readInboxMessages(workspaceId, threadId, now),
    db.user.findUniqueOrThrow({ where: { user_id }, select: { name: true } }),
  ])
  const conversation = messages
    .filter(({ text }) => text.trim())
    .map(({ direction, text }) => ({
      from: direction === 'in' ? ('them' as const) : ('us' as const),
      text: newText(text) || text,
    }))
  const cells = shownCells(textCells(thread.lead?.data ?? {}))
  const sender: Record<string, string> = user.name ? { name: user.name } : {}
  const answer = await writeOnce(withinAiBudget(writer, workspaceId), {
    instructions: REPLY_INSTRUCTIONS,
    prompt: replyBlock({ conversation, cells, sender }),
  })
  if (answer.outcome === 'unusable') throw new AppError('provider_rejected', { message: answer.error })
  if (answer.outcome !== 'written') throw new AppError('provider_unavailable', { message: answer.error })
  const text = answer.written.body.replaceAll('\0', '').toWellFormed().trim()
  if (!text) throw new AppError('provider_rejected', { message: 'The model wrote nothing.' })
  const listTexts = (side: 'us' | 'them') =>
    latestMessages(conversation).flatMap((message) => (message.from === side ? [message.text] : []))
  const material = { theirs: listTexts('them'), ours: listTexts('us'), cells, sender }
  return {
    text,
    written_by: writer.name,
    offline: writer.offline,
    claims: replySources(text, material),
    flags: replyFlags(text, material),
  }
}
