import { sizeWords } from '#lib/domain/text/size-words'

const MIB = 1024 * 1024

export const ATTACHMENT_BYTES = 10 * MIB
/** Of all files of one email as they travel; Gmail takes 25 MB of the whole email. */
export const ATTACHED_BYTES = 20 * MIB
export const MOST_ATTACHMENTS = 10

/** Bytes of a line of base64, and of the same line with its end. */
const LINE = 76
const LINE_SENT = LINE + 2

/** How many bytes a file takes in an email: base64, in lines. */
export function sentBytes(size: number): number {
  const encoded = 4 * Math.ceil(size / 3)
  return Math.floor(encoded / LINE) * LINE_SENT + (encoded % LINE === 0 ? 0 : (encoded % LINE) + 2)
}

export const sentTogether = (files: readonly { size_bytes: number }[]): number =>
  files.reduce((sum, { size_bytes }) => sum + sentBytes(size_bytes), 0)

/** Why these files cannot travel in one email; null where they can. */
export function attachedProblem(files: readonly { size_bytes: number }[]): string | null {
  if (files.length > MOST_ATTACHMENTS) return `An email can have at most ${MOST_ATTACHMENTS} files.`
  return togetherProblem(files)
}

/** The same of their size alone: what somebody else attached is as many files as it is. */
export function togetherProblem(files: readonly { size_bytes: number }[]): string | null {
  const together = sentTogether(files)
  if (together <= ATTACHED_BYTES) return null
  return `Together the files take ${sizeWords(together)} in an email, more than the limit of ${sizeWords(ATTACHED_BYTES)}. Share a link to the largest instead.`
}
