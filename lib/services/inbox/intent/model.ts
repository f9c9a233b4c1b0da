import { z } from 'zod'
import { pool } from '#lib/db/client'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import type { Intent, ReadIntent } from '#lib/domain/inbox/intent/intents'
import {
  checkedIntent,
  INTENT_INSTRUCTIONS,
  intentBlock,
  ownReplyText,
} from '#lib/domain/inbox/intent/model-intent'
import { givesOrders } from '#lib/domain/personalize/material'
import type { Writer } from '#lib/providers/ai/port'
import { type AskOutcome, askOnce } from '#lib/providers/ai/write'
import { followCorrection } from '#lib/services/inbox/intent/corrections'
import { keepIntent } from '#lib/services/inbox/thread/intents'
import { configuredWriter } from '#lib/services/personalize/writer'
import { withinAiBudget } from '#lib/services/workspaces/ai-budget'

/** Messages processed concurrently; a round takes no longer than the slowest of them. */
const AT_ONCE = 8
const MAX_TRIES = 4
const RETRY_MS = 5 * 60_000
/** How long a worker holds a message. If its process dies, the next round takes it. */
const LEASE_MS = 3 * 60_000
const PATIENCE_MS = 60_000

const Answer = z.object({ intent: z.string(), evidence: z.string() })
type Said = AskOutcome<z.output<typeof Answer>>

/**
 * Whether a language model is asked for the intent of a person's reply, after the transaction. A request for
 * no more mail is believed at once, without a model.
 */
export const asksModel = (text: string, read: ReadIntent | null): boolean =>
  text !== '' && read?.intent !== 'stop' && !configuredWriter().offline

/** Queues a stored message for the model. */
export async function askModel(
  client: Statements,
  { thread_id, message_id }: { thread_id: string; message_id: string },
  now: Date,
): Promise<void> {
  await client.query(
    'UPDATE inbox_messages SET ask_model_at = $3 WHERE thread_id = $1::uuid AND inbox_message_id = $2::uuid',
    [thread_id, message_id, now],
  )
}

type Asked = {
  inbox_message_id: string
  thread_id: string
  workspace_id: string
  text: string
  from_address: string
  recipients: { name: string; address: string }[]
  intent: Intent | null
  at: Date
  model_tries: number
}

const TAKEN = `UPDATE inbox_messages m SET ask_model_at = $2, model_tries = m.model_tries + 1
  FROM (SELECT inbox_message_id FROM inbox_messages WHERE ask_model_at <= $1
    ORDER BY ask_model_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) due
  WHERE m.inbox_message_id = due.inbox_message_id
  RETURNING m.inbox_message_id, m.thread_id, m.workspace_id, m.text, m.from_address, m.recipients, m.intent::text AS intent,
    m.at, m.model_tries`

/**
 * Determines the intents of some replies. An answer that the model cannot support with words of the reply is
 * discarded, and the result of the rules stands.
 */
export async function modelRound(
  now: Date,
  writer: Writer = configuredWriter(),
): Promise<{ goes_on: boolean }> {
  if (writer.offline) {
    // A model was configured when these replies arrived, but no longer is.
    await pool().query('UPDATE inbox_messages SET ask_model_at = NULL WHERE ask_model_at IS NOT NULL')
    return { goes_on: false }
  }
  const { rows } = await pool().query<Asked>(TAKEN, [now, new Date(now.getTime() + LEASE_MS)])
  await Promise.all(rows.map((asked) => readOne(asked, writer, now)))
  return { goes_on: rows.length === AT_ONCE }
}

async function readOne(asked: Asked, writer: Writer, now: Date): Promise<void> {
  const reply = ownReplyText(asked.text)
  // A reply that addresses a program instead of us is not shown to one.
  const said =
    reply === '' || givesOrders(reply) ? null : await ask(withinAiBudget(writer, asked.workspace_id), reply)
  if (said?.outcome === 'later' && asked.model_tries < MAX_TRIES)
    return askAgain(asked, new Date(now.getTime() + (said.retry_after_ms ?? RETRY_MS)))
  const answer = {
    new_text: reply,
    from: { name: '', address: asked.from_address },
    recipients: asked.recipients,
  }
  const read = said?.outcome === 'written' ? checkedIntent(said.written, answer, asked.at.getTime()) : null
  const isNews = await keepAnswer(asked, read, now)
  if (isNews) await followCorrection(asked.workspace_id, asked.thread_id, now)
}

const ask = (writer: Writer, reply: string): Promise<Said> =>
  askOnce(
    writer,
    {
      instructions: INTENT_INSTRUCTIONS,
      prompt: intentBlock(reply),
      abort: AbortSignal.timeout(PATIENCE_MS),
    },
    { name: 'intent', schema: Answer },
  )

async function askAgain({ inbox_message_id }: Asked, at: Date): Promise<void> {
  await pool().query(
    'UPDATE inbox_messages SET ask_model_at = $2 WHERE inbox_message_id = $1 AND ask_model_at IS NOT NULL',
    [inbox_message_id, at],
  )
}

/**
 * Stores the model's answer. Returns whether it changes the intent of the conversation. A correction by a
 * person in the meantime takes precedence.
 */
async function keepAnswer(
  { inbox_message_id, thread_id, intent }: Asked,
  read: ReadIntent | null,
  now: Date,
): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ is_open: boolean }>(
      `UPDATE inbox_messages SET ask_model_at = NULL WHERE inbox_message_id = $1 AND ask_model_at IS NOT NULL
       RETURNING intent_by IS DISTINCT FROM 'person' AND intent IS NOT DISTINCT FROM $2::"Intent" AS is_open`,
      [inbox_message_id, intent],
    )
    if (!rows[0]?.is_open || !read || read.intent === intent) return false
    await keepIntent(client, thread_id, inbox_message_id, read, 'model')
    const { rowCount } = await client.query(
      `UPDATE inbox_messages m SET follow_at = $2 FROM threads t
       WHERE m.inbox_message_id = $1 AND t.thread_id = m.thread_id AND t.intent_message_id = m.inbox_message_id`,
      [inbox_message_id, new Date(now.getTime() + LEASE_MS)],
    )
    return rowCount === 1
  })
}
