import { sizeWords } from '#lib/domain/text/size-words'

const MIB = 1024 * 1024

export const ATTACHMENT_BYTES = 10 * MIB
/** The limit for all files of one email in their encoded size; Gmail accepts 25 MB for the whole email. */
export const ATTACHED_BYTES = 20 * MIB
export const MOST_ATTACHMENTS = 10

/** Bytes of a line of base64, without and with its line end. */
const LINE = 76
const LINE_SENT = LINE + 2

/** The size of a file in an email, in bytes: base64, in lines. */
export function sentBytes(size: number): number {
  const encoded = 4 * Math.ceil(size / 3)
  return Math.floor(encoded / LINE) * LINE_SENT + (encoded % LINE === 0 ? 0 : (encoded % LINE) + 2)
}

export const sentTogether = (files: readonly { size_bytes: number }[]): number =>
  files.reduce((sum, { size_bytes }) => sum + sentBytes(size_bytes), 0)

/** Why these files cannot be sent in one email; null if they can. */
export function attachedProblem(files: readonly { size_bytes: number }[]): string | null {
  if (files.length > MOST_ATTACHMENTS) return `An email can have at most ${MOST_ATTACHMENTS} files.`
  return togetherProblem(files)
}

/** The same by size alone: the number of files in a forwarded message is not limited. */
export function togetherProblem(files: readonly { size_bytes: number }[]): string | null {
  const together = sentTogether(files)
  if (together <= ATTACHED_BYTES) return null
  return `Together the files take ${sizeWords(together)} in an email, more than the limit of ${sizeWords(ATTACHED_BYTES)}. Share a link to the largest instead.`
}
