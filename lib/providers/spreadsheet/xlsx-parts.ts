import { counted, MAX_SHEETS, tooLarge } from '#lib/providers/spreadsheet/budget'
import { BUILTIN_FORMATS, type NumberText, numberText } from '#lib/providers/spreadsheet/cell-text'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import { attribute, tagsNamed, unescapeXml } from '#lib/providers/spreadsheet/xml'
import { unpackText, type ZipEntry } from '#lib/providers/spreadsheet/zip'

/** Valid, but in a form that the fast reader does not support (another namespace prefix, UTF-16): SheetJS reads it instead. */
export class BeyondFastReader extends Error {}

export type XlsxParts = {
  date1904: boolean
  sheets: { name: string; hidden: boolean; entry: ZipEntry }[]
  shared_strings: ZipEntry | null
  styles: ZipEntry | null
}

const MAX_INDEX_BYTES = 4_000_000
const MAX_STYLES_BYTES = 16_000_000

export type Zip = { file: SheetFile; entries: Map<string, ZipEntry> }

/** Follows the relationships from the package to the workbook to its sheets, whatever the files are called. */
export async function findParts(zip: Zip): Promise<XlsxParts> {
  const ofPackage = await readRelations(zip, '')
  const main = ofPackage.find((relation) => relation.type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const xml = await partText(zip, main)
  if (!/<workbook[\s>]/.test(xml)) throw new BeyondFastReader('workbook part')
  const byId = new Map((await readRelations(zip, main)).map((relation) => [relation.id, relation]))
  const ofType = (type: string) => {
    const path = [...byId.values()].find((relation) => relation.type === type)?.path
    return path === undefined ? null : (zip.entries.get(path) ?? null)
  }

  const tags = tagsNamed(xml, 'sheet')
  if (tags.length > MAX_SHEETS) throw tooLarge(`The file has more than ${counted(MAX_SHEETS)} sheets.`)
  const sheets = tags.flatMap((tag) => {
    const relation = byId.get(attribute(tag, 'r:id') ?? attribute(tag, 'id') ?? '')
    if (relation && relation.type !== 'worksheet') return []
    const entry = relation && zip.entries.get(relation.path)
    if (!entry) throw new BeyondFastReader('sheet part')
    const hidden = /hidden/i.test(attribute(tag, 'state') ?? '')
    return [{ name: unescapeXml(attribute(tag, 'name') ?? ''), hidden, entry }]
  })
  if (sheets.length === 0) throw new BeyondFastReader('no sheets')
  const date1904 = /^(1|true|on)$/.test(attribute(tagsNamed(xml, 'workbookPr')[0] ?? '', 'date1904') ?? '')
  return { date1904, sheets, shared_strings: ofType('sharedStrings'), styles: ofType('styles') }
}

async function readRelations(zip: Zip, part: string) {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash + 1)
  const entry = zip.entries.get(`${folder}_rels/${part.slice(slash + 1)}.rels`.toLowerCase())
  if (!entry) return []
  const xml = await partText(zip, entry.name)
  if (!/<Relationships[\s>]/.test(xml)) throw new BeyondFastReader('relations part')
  return tagsNamed(xml, 'Relationship').map((tag) => ({
    id: attribute(tag, 'Id') ?? '',
    type: (attribute(tag, 'Type') ?? '').split('/').at(-1) ?? '',
    path: resolvePath(folder, unescapeXml(attribute(tag, 'Target') ?? '')),
  }))
}

function resolvePath(folder: string, target: string): string {
  const parts: string[] = []
  for (const part of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/').toLowerCase()
}

async function partText({ file, entries }: Zip, name: string, maxBytes = MAX_INDEX_BYTES): Promise<string> {
  const entry = entries.get(name.toLowerCase())
  if (!entry) throw new BeyondFastReader(`no ${name}`)
  const xml = await unpackText(file, entry, maxBytes)
  if (xml.includes('\0')) throw new BeyondFastReader('UTF-16')
  return xml
}

/** How each cell style formats its numbers, by the style's index. */
export async function readStyles(zip: Zip, entry: ZipEntry | null, date1904: boolean): Promise<NumberText[]> {
  if (!entry) return []
  const xml = await partText(zip, entry.name, MAX_STYLES_BYTES)
  if (!/<styleSheet[\s>]/.test(xml)) throw new BeyondFastReader('styles part')
  const formats = new Map<string, string>(Object.entries(BUILTIN_FORMATS))
  for (const tag of tagsNamed(xml, 'numFmt')) {
    formats.set(attribute(tag, 'numFmtId') ?? '', unescapeXml(attribute(tag, 'formatCode') ?? ''))
  }
  const known = new Map<string, NumberText>()
  const start = xml.search(/<cellXfs[\s>]/)
  const end = xml.indexOf('</cellXfs>', start)
  if (start === -1 || end === -1) return []
  return tagsNamed(xml.slice(start, end), 'xf').map((tag) => {
    const format = formats.get(attribute(tag, 'numFmtId') ?? '0') ?? 'General'
    const text = known.get(format) ?? numberText(format, date1904)
    known.set(format, text)
    return text
  })
}
