import { MailParser } from 'mailparser'
import { MAX_HEAD, MAX_NAME, MAX_PARTS, MAX_RAW } from '#lib/domain/inbox/bounds'
import { clean, REPORT_PART } from '#lib/domain/inbox/mime'

/** One attachment of a mail. */
export type MailPiece = { filename: string | null; content_type: string; content: Uint8Array }

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/i
/** A type that would affect how a mail program parses the mail. */
const STRUCTURE = /^(multipart|message)\//i

/** The attachments of a mail; empty if it cannot be parsed. The files are not opened. */
export const readFiles = (raw: Uint8Array): Promise<MailPiece[]> =>
  takeOut(raw.subarray(0, MAX_RAW), () => true)

/** The file at a position among the mail's attachments; null if there is none. */
export async function readFile(raw: Uint8Array, position: number): Promise<MailPiece | null> {
  let place = 0
  const [file] = await takeOut(raw, (type) => !REPORT_PART.test(type) && place++ === position)
  return file ?? null
}

/** The parts whose type `isWanted` accepts, in order. */
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
