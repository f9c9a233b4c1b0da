import { MailParser } from 'mailparser'
import { MAX_HEAD, MAX_NAME, MAX_PARTS, MAX_RAW } from '#lib/domain/inbox/bounds'
import { clean, REPORT_PART } from '#lib/domain/inbox/mime'

/** One attachment of a mail. */
export type MailPiece = { filename: string | null; content_type: string; content: Uint8Array }

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/i
/** A type that would make a part of it mean something to whoever takes the mail apart. */
const STRUCTURE = /^(multipart|message)\//i

/** What is attached to a mail; none of one that cannot be taken apart. Nothing of it is opened. */
export const readFiles = (raw: Uint8Array): Promise<MailPiece[]> =>
  takeOut(raw.subarray(0, MAX_RAW), () => true)

/** One of the files that the mail is said to have, by its place among them; null where it has none there. */
export async function readFile(raw: Uint8Array, position: number): Promise<MailPiece | null> {
  let place = 0
  const [file] = await takeOut(raw, (type) => !REPORT_PART.test(type) && place++ === position)
  return file ?? null
}

/** Of those that `isWanted` says so of, by their types and in their order. */
async function takeOut(raw: Uint8Array, isWanted: (type: string) => boolean): Promise<MailPiece[]> {
  const files: MailPiece[] = []
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHeadSize: MAX_HEAD,
    maxChildNodes: MAX_PARTS,
  })
  await new Promise<void>((resolve) => {
    parser.on('error', () => resolve())
    parser.on('end', () => resolve())
    parser.on('data', (part) => {
      if (part.type !== 'attachment') return
      const chunks: Uint8Array[] = []
      const given: unknown = part.contentType
      const wanted = isWanted(typeof given === 'string' ? given : '')
      const filename = part.filename ? clean(`${part.filename}`).slice(0, MAX_NAME) : null
      part.content.on('data', (chunk: Uint8Array) => {
        if (wanted) chunks.push(chunk)
      })
      part.content.on('end', () => {
        if (wanted) files.push({ filename, content_type: safeType(given), content: Buffer.concat(chunks) })
        part.release?.()
      })
    })
    parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  })
  return files
}

const safeType = (given: unknown) =>
  typeof given === 'string' && TYPE.test(given) && !STRUCTURE.test(given)
    ? given.toLowerCase()
    : 'application/octet-stream'
