import { z } from 'zod'
import { SENT_FIELDS } from '#lib/providers/inbox/port'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import { toHead } from '#lib/providers/mail-api/head'
import type { ApiAnswer, ApiCall } from '#lib/providers/mail-api/http'
import { askFor, isDone } from '#lib/providers/mail-api/outcome'

const Metadata = z.object({
  payload: z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).catch([]) }),
})

export type GmailHeaders = { message_id: string | null; message_ref: string | null }

/** Null if the message cannot be read now. */
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

/** Of a sent mail only the headers that say to whom and what it answers: neither its text nor its subject. */
export async function readSentHead(
  ask: (call: ApiCall) => Promise<Extract<ApiAnswer, { status: number }>>,
  id: string,
): Promise<Uint8Array> {
  const fields = SENT_FIELDS.map((name) => `metadataHeaders=${name}`).join('&')
  const path = `/messages/${encodeURIComponent(id)}?format=metadata&fields=payload/headers&${fields}`
  const { payload } = await askFor(ask, Metadata, { path })
  return toHead(payload.headers)
}
