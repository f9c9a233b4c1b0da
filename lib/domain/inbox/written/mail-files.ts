import { MailParser } from 'mailparser'
import { MAX_HEAD, MAX_NAME, MAX_PARTS, MAX_RAW } from '#lib/domain/inbox/bounds'
import { clean } from '#lib/domain/inbox/mime'

/** One attachment of a mail. */
export type MailPiece = { filename: string | null; content_type: string; content: Uint8Array }

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/i
/** A type that would make a part of it mean something to whoever takes the mail apart. */
const STRUCTURE = /^(multipart|message)\//i

/** What is attached to a mail; none of one that cannot be taken apart. Nothing of it is opened. */
export async function readFiles(raw: Uint8Array): Promise<MailPiece[]> {
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
      const filename = part.filename ? clean(`${part.filename}`).slice(0, MAX_NAME) : null
      part.content.on('data', (chunk: Uint8Array) => void chunks.push(chunk))
      part.content.on('end', () => {
        files.push({ filename, content_type: safeType(given), content: Buffer.concat(chunks) })
        part.release?.()
      })
    })
    parser.end(Buffer.from(raw.subarray(0, MAX_RAW)))
  })
  return files
}

const safeType = (given: unknown) =>
  typeof given === 'string' && TYPE.test(given) && !STRUCTURE.test(given)
    ? given.toLowerCase()
    : 'application/octet-stream'
