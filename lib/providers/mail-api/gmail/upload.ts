import { type ApiAnswer, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'
import { putInParts } from '#lib/providers/mail-api/parts'

export const GMAIL_ROOT = '/gmail/v1/users/me'

const MIB = 1024 * 1024
/** Google documents 5 MB for sending in one call; base64 makes a mail a third larger. */
export const IN_ONE_CALL = 3.5 * MIB
/** A multiple of 256 KiB, as Google requires. */
const PART_BYTES = 4 * MIB
const RESUME_INCOMPLETE = 308

/** Creates a draft of a mail that is too large for one call. */
export async function uploadDraft(
  options: MailApiOptions,
  token: string,
  raw: Uint8Array,
  threadId: string | null,
): Promise<ApiAnswer> {
  const content_type = 'message/rfc822'
  const begun = await askApi(options, token, {
    method: 'POST',
    path: `/upload${GMAIL_ROOT}/drafts`,
    query: { uploadType: 'resumable' },
    headers: { 'x-upload-content-type': content_type, 'x-upload-content-length': `${raw.length}` },
    body: threadId ? { message: { threadId } } : {},
  })
  if (!isDone(begun)) return begun
  const { location: address } = begun
  return putInParts(options, { address, bytes: raw, content_type, part_bytes: PART_BYTES, readNext })
}

/** "bytes=0-4194303": everything up to there was received. */
function readNext(answer: ApiAnswer): number | null {
  if (answer.status !== RESUME_INCOMPLETE) return null
  const last = /^bytes=0-(\d{1,15})$/.exec(answer.range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}
