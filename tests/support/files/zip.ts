import { crc32, deflateRawSync } from 'node:zlib'

type File = {
  name: string
  content: string | Uint8Array
  stored?: boolean
  encrypted?: boolean
  claimed_bytes?: number
}

/** A zip of the given files, as regular or as odd as a test needs it. */
export function zipOf(files: File[]): Uint8Array {
  const bodies: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const file of files) {
    const content = typeof file.content === 'string' ? Buffer.from(file.content) : file.content
    const packed = file.stored ? content : deflateRawSync(content)
    const name = Buffer.from(file.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(file.encrypted ? 1 : 0, 2)
    common.writeUInt16LE(file.stored ? 0 : 8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(file.claimed_bytes ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name]))
    bodies.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...bodies, entries, end]))
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

export type XlsxSource = {
  /** The content of `<sheetData>`, or the whole part when it starts with `<?xml`. */
  rows: string
  shared_strings?: string
  number_formats?: Record<number, string>
  /** The format id of each cell style, from style 0 on. */
  styles?: number[]
  date1904?: boolean
  /** Inserted among the sheets of the workbook part. */
  sheets?: string
}

/** An xlsx written by hand, for content that no library writes. */
export function xlsxOf(source: XlsxSource): Uint8Array {
  const sheet = source.rows.startsWith('<?xml')
    ? source.rows
    : `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${source.rows}</sheetData></worksheet>`
  const formats = Object.entries(source.number_formats ?? {})
    .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
    .join('')
  const styles = (source.styles ?? [0]).map((id) => `<xf numFmtId="${id}" xfId="0"/>`).join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const type = (part: string, kind: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('/xl/workbook.xml', 'sheet.main')}${type('/xl/worksheets/sheet1.xml', 'worksheet')}${type('/xl/sharedStrings.xml', 'sharedStrings')}${type('/xl/styles.xml', 'styles')}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${source.date1904 ? 1 : 0}"/><sheets><sheet name="S" sheetId="1" r:id="rId1"/>${source.sheets ?? ''}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('rId3', 'styles', 'styles.xml')}</Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${source.shared_strings ?? ''}</sst>` },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet xmlns="${MAIN}"><numFmts count="1">${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
    },
  ])
}
