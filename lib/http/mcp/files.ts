import type { FileAnswer } from '#lib/contracts/fields'
import { FILE_TYPES } from '#lib/contracts/fields'
import { invalid } from '#lib/errors'

/** The largest export that is put into a conversation, in bytes. */
const MOST_BYTES = 256 * 1024

/** How a tool's schema describes a file. */
export const FILE_ARGUMENT = {
  type: 'object',
  description:
    'The file, as `text` or as `content_base64`, up to 3 MB. Leave it out for a larger one, or one that you cannot read: the tool then answers an `upload_url` to send it to.',
  properties: {
    filename: { type: 'string', description: 'With its ending, such as leads.csv.' },
    text: { type: 'string' },
    content_base64: { type: 'string' },
  },
  required: ['filename'],
}

type GivenFile = { filename?: unknown; text?: unknown; content_base64?: unknown }

/** Decodes the file in an argument; throws a ValidationError if it is invalid. */
export function readFileArgument(name: string, given: unknown): File {
  const { filename, text, content_base64 } = (
    typeof given === 'object' && given !== null ? given : {}
  ) as GivenFile
  if (typeof filename !== 'string' || filename === '')
    throw invalid(['body', name, 'filename'], 'is required', 'missing')
  if (typeof text === 'string') return new File([text], filename)
  if (typeof content_base64 !== 'string')
    throw invalid(['body', name], 'needs text or content_base64', 'missing')
  const bytes = Buffer.from(content_base64, 'base64')
  if (unpadded(bytes.toString('base64')) !== unpadded(content_base64.replace(/\s/g, '')))
    throw invalid(['body', name, 'content_base64'], 'is no base64')
  return new File([bytes], filename)
}

/** Base64 without its padding. Counts from the end, because a regular expression would start over at every `=`. */
function unpadded(base64: string): string {
  let end = base64.length
  while (base64[end - 1] === '=') end -= 1
  return base64.slice(0, end)
}

/** An exported table as the content of a tool result: CSV and JSON lines as text, up to a limit; other formats in base64. */
export async function toFileContent({ filename, format, parts }: FileAnswer) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    chunks.push(part)
    size += part.byteLength
    if (size > MOST_BYTES) break
  }
  const isCut = size > MOST_BYTES
  const bytes = Buffer.concat(chunks).subarray(0, MOST_BYTES)
  const isText = format === 'csv' || format === 'ndjson'
  // A truncated line or workbook would be worse than no content.
  const text = isText
    ? bytes.toString('utf8').slice(0, isCut ? bytes.toString('utf8').lastIndexOf('\n') : undefined)
    : ''
  const about = { filename, media_type: FILE_TYPES[format], truncated: isCut }
  const hint = isCut ? { hint: 'The whole file is available through the HTTP API.' } : {}
  if (isText) return { ...about, ...hint, text }
  return { ...about, ...hint, ...(isCut ? {} : { content_base64: bytes.toString('base64') }) }
}
