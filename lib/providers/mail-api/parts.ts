import { type ApiAnswer, type MailApiOptions, putPart } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'

type Sending = {
  /** The upload URL that the API returned. */
  address: string | undefined
  bytes: Uint8Array
  content_type: string
  part_bytes: number
  /** The byte from which the API expects the rest; null if the answer does not say so. */
  readNext: (answer: ApiAnswer) => number | null
}

const lost = (error: string): ApiAnswer => ({ status: null, reason: 'lost', error })

/**
 * Uploads a file in parts, in sequence, and returns the answer to the last one. A failure in between is returned as it is and
 * not retried: a draft has not been sent.
 */
export async function putInParts(options: MailApiOptions, sending: Sending): Promise<ApiAnswer> {
  const { address, bytes, content_type, part_bytes, readNext } = sending
  if (!address) return lost('The API named no address for the file.')
  let from = 0
  while (from < bytes.length) {
    const end = Math.min(from + part_bytes, bytes.length)
    const part = { bytes: bytes.subarray(from, end), from, of: bytes.length, content_type }
    const answer = await putPart(options, address, part)
    if (isDone(answer) && end === bytes.length) return answer
    // The upload URL has expired: that says nothing about the mailbox or the message.
    if (answer.status === 404 || answer.status === 410) return lost('The API gave up the upload half-way.')
    const next = readNext(answer)
    if (next === null) return isDone(answer) ? lost('The API lost count of the upload.') : answer
    if (next <= from || next > end) return lost('The API lost count of the upload.')
    from = next
  }
  return lost('The API did not say that it has all of the file.')
}
