import type { z } from 'zod'
import type { AgentChat } from '#lib/contracts/assistant/agent'

type Body = z.output<typeof AgentChat.body>
type SaidMessage = NonNullable<Body['messages']>[number]
type SaidPart = SaidMessage['parts'][number]

export type Decision = { approval_id: string; approved: boolean; reason?: string | undefined }

/** A request's content: text, or decisions on pending requests; with neither, the assistant begins. */
export type Said = {
  thread_id: string | undefined
  message_id?: string | undefined
  message: string
  decisions: Decision[]
}

const MOST_ID_CHARS = 200

const decisionIn = ({ state, approval }: SaidPart): Decision[] =>
  state === 'approval-responded' && approval?.approved !== undefined
    ? [{ approval_id: approval.id, approved: approval.approved, reason: approval.reason }]
    : []

/** Decisions of the last step; those of earlier steps were handled before. */
function decisionsIn({ parts }: SaidMessage): Decision[] {
  const start = parts.findLastIndex(({ type }) => type === 'step-start')
  return parts.slice(start + 1).flatMap(decisionIn)
}

const wordsIn = ({ parts }: SaidMessage): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')

/** Only ids in the format of our rows are kept. */
const usableId = (id: string | undefined): string | undefined =>
  id && id.length <= MOST_ID_CHARS && !id.includes('\0') && id.isWellFormed() ? id : undefined

/**
 * Reads a body in either of its forms: `message` or `resume`, or the messages that a client of the AI SDK sends. Of those only the last one
 * counts: the conversation is stored here and not taken from a client.
 */
export function readMessageBody({ thread_id, id, message, resume, messages }: Body): Said {
  const thread = thread_id ?? id
  if (resume) return { thread_id: thread, message: '', decisions: [resume] }
  const last = message === '' ? messages?.at(-1) : undefined
  if (last?.role === 'assistant') return { thread_id: thread, message: '', decisions: decisionsIn(last) }
  if (last?.role !== 'user') return { thread_id: thread, message, decisions: [] }
  return { thread_id: thread, message_id: usableId(last.id), message: wordsIn(last), decisions: [] }
}
