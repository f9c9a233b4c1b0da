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
