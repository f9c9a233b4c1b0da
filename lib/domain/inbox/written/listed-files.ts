import { asRecord } from '#lib/domain/text/record'

/** As a message lists it; of what was forwarded, which message it came with and its place there. */
export type ListedFile = {
  filename: string | null
  content_type: string
  size_bytes: number
  of_message_id?: string
  of_position?: number
}

/** Out of the column that keeps them. */
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
 * The places of files that can be had again: all of what came in; of what was written here, what was attached, which stands last,
 * and what says which message it came with.
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
