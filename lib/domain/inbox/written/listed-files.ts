import { asRecord } from '#lib/domain/text/record'

/**
 * A file as listed by a message; for forwarded files, also which message it came with and its position there.
 */
export type ListedFile = {
  filename: string | null
  content_type: string
  size_bytes: number
  of_message_id?: string
  of_position?: number
}

/** Parses the column that stores them. */
export const listedFiles = (attachments: unknown): ListedFile[] =>
  Array.isArray(attachments) ? attachments.map(listed) : []

function listed(one: unknown): ListedFile {
  const { filename, content_type, size_bytes, of_message_id, of_position } = asRecord(one)
  return {
    filename: typeof filename === 'string' ? filename : null,
    content_type: String(content_type),
    size_bytes: Number(size_bytes),
    ...(typeof of_message_id === 'string' && { of_message_id, of_position: Number(of_position) }),
  }
}

/**
 * The positions of files that can still be downloaded: all files of received mail; for mail written here, the
 * attached files, which come last, and those that name the message they came with.
 */
export function readablePlaces(
  message: { inbound_message_id: string | null; attachment_ids: readonly string[] },
  files: readonly ListedFile[],
): number[] {
  const firstAttached = files.length - message.attachment_ids.length
  return files.flatMap((file, place) =>
    message.inbound_message_id || file.of_message_id || place >= firstAttached ? [place] : [],
  )
}
