import { gunzipSync } from 'node:zlib'
import { type DmarcReport, MAX_REPORT, readDmarcReport } from '#lib/domain/domains/dmarc-report'
import { readFiles } from '#lib/domain/inbox/written/mail-files'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { readZipDirectory, unpackText } from '#lib/providers/spreadsheet/zip'

const MOST_ATTACHMENTS = 5
const MOST_ENTRIES = 20

/** The DMARC reports in a file: XML, or compressed by gzip or zip. Content that is not a report, or unpacks to too much, is left out. */
export async function reportsOfFile(bytes: Uint8Array): Promise<DmarcReport[]> {
  const documents = await unpack(bytes).catch((error: unknown) => {
    if (error instanceof SpreadsheetError || isZlib(error)) return []
    throw error
  })
  return documents.flatMap((document) => readDmarcReport(document) ?? [])
}

export async function reportsOfMail(raw: Uint8Array): Promise<DmarcReport[]> {
  const reports: DmarcReport[] = []
  for (const { content } of (await readFiles(raw)).slice(0, MOST_ATTACHMENTS))
    reports.push(...(await reportsOfFile(content)))
  return reports
}

const isZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(`${error.code}`)

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Unpacks up to the size limit of a report, whatever size the file claims. */
async function unpack(bytes: Uint8Array): Promise<string[]> {
  const [first, second] = bytes
  if (first === 0x1f && second === 0x8b) {
    const plain = gunzipSync(bytes, { maxOutputLength: MAX_REPORT })
    return [decoded(plain)]
  }
  if (first !== 0x50 || second !== 0x4b) return bytes.length > MAX_REPORT ? [] : [decoded(bytes)]
  const file = {
    size: bytes.length,
    read: (from: number, to: number) => new Uint8Array(bytes.slice(from, to)),
  }
  const entries = [...readZipDirectory(file).values()].filter(({ name }) => /\.xml$/i.test(name))
  const documents: string[] = []
  let left = MAX_REPORT
  for (const entry of entries.slice(0, MOST_ENTRIES)) {
    const document = await unpackText(file, entry, left)
    documents.push(document)
    left = Math.max(0, left - document.length)
  }
  return documents
}
