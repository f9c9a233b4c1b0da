import { z } from 'zod'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type { ApiAnswer, ApiCall } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'

const Metadata = z.object({
  payload: z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).catch([]) }),
})

export type GmailHeaders = { message_id: string | null; message_ref: string | null }

/** Null where the message cannot be read now. */
export async function readHeaders(
  ask: (call: ApiCall) => Promise<ApiAnswer>,
  id: string,
): Promise<GmailHeaders | null> {
  const path = `/messages/${encodeURIComponent(id)}?format=metadata&metadataHeaders=Message-ID&metadataHeaders=${MESSAGE_REF}`
  const answer = await ask({ path })
  const headers = isDone(answer) ? Metadata.safeParse(answer.body).data?.payload.headers : undefined
  if (!headers) return null
  const find = (wanted: string) =>
    headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value.trim() ?? null
  return { message_id: find('Message-ID'), message_ref: find(MESSAGE_REF) }
}

export const readMessageId = async (ask: (call: ApiCall) => Promise<ApiAnswer>, id: string) =>
  (await readHeaders(ask, id))?.message_id ?? null
