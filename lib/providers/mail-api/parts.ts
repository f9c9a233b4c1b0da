import { type ApiAnswer, type MailApiOptions, putPart } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'

type Sending = {
  /** Where the API said that the file goes. */
  address: string | undefined
  bytes: Uint8Array
  content_type: string
  part_bytes: number
  /** From which byte on an answer wants the rest; null where it does not say so. */
  readNext: (answer: ApiAnswer) => number | null
}

const lost = (error: string): ApiAnswer => ({ status: null, reason: 'lost', error })

/**
 * Puts a file in parts, one after the other, and answers what the last of them was answered. Whatever breaks in between is told
 * as it is and not tried again: of a draft nothing has left.
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
    // The address is no longer known: that says nothing of the mailbox or of the message.
    if (answer.status === 404 || answer.status === 410) return lost('The API gave up the upload half-way.')
    const next = readNext(answer)
    if (next === null) return isDone(answer) ? lost('The API lost count of the upload.') : answer
    if (next <= from || next > end) return lost('The API lost count of the upload.')
    from = next
  }
  return lost('The API did not say that it has all of the file.')
}
