import { z } from 'zod'
import type { MailFile } from '#lib/providers/mail/port'
import type { AskGraph } from '#lib/providers/mail-api/graph/ask'
import type { ApiAnswer, MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'
import { putInParts } from '#lib/providers/mail-api/parts'

/** Graph accepts requests of 4 MB, in which a mail travels as base64. */
export const IN_ONE_CALL = 2.5 * 1024 * 1024
/** Microsoft documents one call for files below 3 MB, and an upload session above. */
const FILE_IN_ONE_CALL = 3_000_000
/** Below the 4 MB per part that Microsoft documents. */
const PART_BYTES = 10 * 320 * 1024

const Session = z.object({ uploadUrl: z.string().min(1) })
const Progress = z.object({ nextExpectedRanges: z.array(z.string()).min(1) })

/** Attaches a file to a draft that is too large for one call. */
export async function attachFile(
  options: MailApiOptions,
  ask: AskGraph,
  path: string,
  { filename: name, content_type: contentType, content }: MailFile,
): Promise<ApiAnswer> {
  if (content.length < FILE_IN_ONE_CALL) {
    const contentBytes = Buffer.from(content).toString('base64')
    const body = { '@odata.type': '#microsoft.graph.fileAttachment', name, contentType, contentBytes }
    return ask({ method: 'POST', path: `${path}/attachments`, body })
  }
  const AttachmentItem = { attachmentType: 'file', name, contentType, size: content.length }
  const begun = await ask({
    method: 'POST',
    path: `${path}/attachments/createUploadSession`,
    body: { AttachmentItem },
  })
  if (!isDone(begun)) return begun
  return putInParts(options, {
    address: Session.safeParse(begun.body).data?.uploadUrl,
    bytes: content,
    content_type: 'application/octet-stream',
    part_bytes: PART_BYTES,
    readNext,
  })
}

/** "3276800" or "3276800-9999999": the rest is expected from there. */
function readNext(answer: ApiAnswer): number | null {
  if (!isDone(answer)) return null
  const [first = ''] = Progress.safeParse(answer.body).data?.nextExpectedRanges ?? []
  const from = /^(\d{1,15})(?:-\d{0,15})?$/.exec(first)?.[1]
  return from === undefined ? null : Number(from)
}
