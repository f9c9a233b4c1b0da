import * as XLSX from 'xlsx'
import { type SheetFile, SpreadsheetError, type SpreadsheetFormat } from '#lib/providers/spreadsheet/port'
import {
  MAX_HEAD_CHARS,
  readTextFile,
  sniffDelimiter,
  type TextFile,
} from '#lib/providers/spreadsheet/text-file'
import { attribute, tagsNamed } from '#lib/providers/spreadsheet/xml'
import { readZipDirectory, unpackText, type ZipEntry } from '#lib/providers/spreadsheet/zip'

const TEXT_NAME = /\.(csv|tsv|tab|txt)$/i
const HAS_EXTENSION = /\.[a-z0-9]{1,8}$/i

/** `text` is set if the file is delimited text: what was learnt about it during detection. */
export type Detected = { format: SpreadsheetFormat; text?: TextFile }

/**
 * The format of a file, by its first bytes and its contents; the name counts only for plain text. Throws SpreadsheetError:
 * not_a_spreadsheet, encrypted or damaged.
 */
export async function detectFormat(file: SheetFile, filename: string): Promise<Detected> {
  if (file.size === 0) throw notASpreadsheet('The file is empty.')
  const start = file.read(0, 8)
  if (startsWith(start, [0x50, 0x4b, 0x03, 0x04])) return { format: await zipFormat(file) }
  if (startsWith(start, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))
    return { format: compoundFormat(file.read(0, file.size)) }
  if (isBareBiff(start)) return { format: 'xls' }
  return textFormat(file, filename)
}

function notASpreadsheet(what: string): SpreadsheetError {
  return new SpreadsheetError(
    'not_a_spreadsheet',
    `${what} Send an xlsx, xlsm, xlsb, xls, ods, csv or tsv file.`,
  )
}

const startsWith = (bytes: Uint8Array, magic: number[]) => magic.every((byte, at) => bytes[at] === byte)

async function zipFormat(file: SheetFile): Promise<SpreadsheetFormat> {
  const entries = readZipDirectory(file)
  if ([...entries.values()].some((entry) => entry.encrypted)) throw encrypted()
  if (entries.has('xl/workbook.bin')) return 'xlsb'
  const types = entries.get('[content_types].xml')
  if (types) return officeFormat(file, types, entries)
  if (entries.has('content.xml')) return openDocumentFormat(file, entries)
  throw notASpreadsheet('This is an archive, not a spreadsheet.')
}

async function officeFormat(
  file: SheetFile,
  types: ZipEntry,
  entries: Map<string, ZipEntry>,
): Promise<SpreadsheetFormat> {
  const declared = await unpackText(file, types, 4_000_000)
  // Overrides only: defaults by extension name parts that the file need not contain.
  const parts = tagsNamed(declared, 'Override').map((tag) => attribute(tag, 'ContentType') ?? '')
  const has = (kind: RegExp) => parts.some((part) => kind.test(part))
  if (has(/ms-excel\.sheet\.binary/i)) return 'xlsb'
  if (has(/ms-excel\.(sheet|template)\.macroenabled/i)) return 'xlsm'
  if (has(/spreadsheetml\.(sheet|template)\.main/i) || entries.has('xl/workbook.xml')) return 'xlsx'
  throw notASpreadsheet('This is an Office document, but not a spreadsheet.')
}

async function openDocumentFormat(
  file: SheetFile,
  entries: Map<string, ZipEntry>,
): Promise<SpreadsheetFormat> {
  const read = async (name: string) => {
    const entry = entries.get(name)
    return entry ? unpackText(file, entry, 4_000_000) : ''
  }
  const manifest = await read('meta-inf/manifest.xml')
  if (manifest.includes('encryption-data')) throw encrypted()
  const kind = `${await read('mimetype')} ${manifest}`
  if (kind.includes('opendocument.spreadsheet')) return 'ods'
  throw notASpreadsheet('This is an OpenDocument file, but not a spreadsheet.')
}

const encrypted = () =>
  new SpreadsheetError(
    'encrypted',
    'The file is protected with a password. Save it without one and send it again.',
  )

/** Excel 97-2003, or an encrypted xlsx, which has the same container. */
function compoundFormat(bytes: Uint8Array): SpreadsheetFormat {
  const container = readCompound(bytes)
  const names = container.FullPaths
  if (names.some((name) => /\/(EncryptedPackage|EncryptionInfo)$/i.test(name))) throw encrypted()
  const book = names.findIndex((name) => /\/(Workbook|Book)$/i.test(name))
  if (book === -1) throw notASpreadsheet('This is an Office document, but not a spreadsheet.')
  // SheetJS would read a stream without a BOF record as an empty workbook.
  if (container.FileIndex[book]?.content?.[0] !== 0x09) throw damagedFile()
  return 'xls'
}

function readCompound(bytes: Uint8Array): Compound {
  try {
    return XLSX.CFB.read(bytes, { type: 'array' })
  } catch (cause) {
    throw damagedFile(cause)
  }
}

type Compound = { FullPaths: string[]; FileIndex: { content?: ArrayLike<number> }[] }

const damagedFile = (cause?: unknown) =>
  new SpreadsheetError('damaged', 'The file is damaged: its contents cannot be found.', { cause })

/** Excel 2 to 4 wrote their records without a container, starting with a BOF record of their version. */
function isBareBiff(bytes: Uint8Array): boolean {
  const [id, version, length, high] = bytes
  return (
    id === 0x09 && [0, 2, 4, 8].includes(version ?? -1) && [4, 6, 8, 16].includes(length ?? 0) && high === 0
  )
}

function textFormat(file: SheetFile, filename: string): Detected {
  const text = readTextFile(file)
  if (!text) throw notASpreadsheet('This is not a spreadsheet.')
  const { head } = text
  const start = head.slice(0, 1_000).trimStart()
  if (start.startsWith('<')) {
    if (head.slice(0, 4_000).includes('urn:schemas-microsoft-com:office:spreadsheet'))
      return { format: 'xls' }
    throw notASpreadsheet('This is a web page or an XML file, not a spreadsheet.')
  }
  if (start.startsWith('%PDF-')) throw notASpreadsheet('This is a PDF, not a spreadsheet.')
  if (start.startsWith('{\\rtf')) throw notASpreadsheet('This is a text document, not a spreadsheet.')
  if (isJson(start, text)) throw notASpreadsheet('This is a JSON file, not a spreadsheet.')
  if (text.is_blank) throw notASpreadsheet('The file is empty.')

  const sniffed = sniffDelimiter(head)
  // Web applications often name text tables .xls; any other extension must be one of text.
  const table = sniffed !== null && sniffed.agreeing >= 2 && sniffed.agreeing >= sniffed.lines * 0.8
  if (TEXT_NAME.test(filename) || !HAS_EXTENSION.test(filename) || (/\.xls$/i.test(filename) && table)) {
    return { format: sniffed?.delimiter === '\t' ? 'tsv' : 'csv', text }
  }
  throw notASpreadsheet('This is plain text, not a spreadsheet.')
}

/** A long text is judged by its ends: parsing it would take ten times its size. */
function isJson(start: string, { head, tail, chars }: TextFile): boolean {
  if (!/^[{[]/.test(start)) return false
  if (chars > MAX_HEAD_CHARS) return /[}\]]$/.test(tail.trimEnd())
  try {
    JSON.parse(head)
    return true
  } catch {
    return false
  }
}
