import { attachmentName, fileEnding } from '#lib/domain/messages/attached/filename'
import { FAMILIES, type Family, type FileKind, fileKind } from '#lib/domain/messages/attached/kinds'
import { ATTACHMENT_BYTES } from '#lib/domain/messages/attached/limits'
import { refusedInside, refusedName } from '#lib/domain/messages/attached/refused-names'
import { listZip } from '#lib/domain/messages/attached/zip-list'
import { sizeWords } from '#lib/domain/text/size-words'

const OOXML = 'application/vnd.openxmlformats-officedocument.'
const ODF = 'application/vnd.oasis.opendocument.'
/** The generic type: a part with the type of a message would be taken apart on the way. */
const BYTES = 'application/octet-stream'

/** The family that each extension promises, and the type if the content does not tell it. */
const NAMED: Readonly<Record<string, readonly [Family, string?]>> = {
  pdf: ['pdf', 'application/pdf'],
  docx: ['office', `${OOXML}wordprocessingml.document`],
  xlsx: ['office', `${OOXML}spreadsheetml.sheet`],
  pptx: ['office', `${OOXML}presentationml.presentation`],
  ppsx: ['office', `${OOXML}presentationml.slideshow`],
  doc: ['office', 'application/msword'],
  xls: ['office', 'application/vnd.ms-excel'],
  ppt: ['office', 'application/vnd.ms-powerpoint'],
  msg: ['office', 'application/vnd.ms-outlook'],
  odt: ['office', `${ODF}text`],
  ods: ['office', `${ODF}spreadsheet`],
  odp: ['office', `${ODF}presentation`],
  rtf: ['office', 'application/rtf'],
  zip: ['zip', 'application/zip'],
  txt: ['text', 'text/plain'],
  md: ['text', 'text/markdown'],
  csv: ['text', 'text/csv'],
  tsv: ['text', 'text/tab-separated-values'],
  ics: ['text', 'text/calendar'],
  vcf: ['text', 'text/vcard'],
  html: ['text', 'text/html'],
  htm: ['text', 'text/html'],
  json: ['text', 'application/json'],
  xml: ['text', 'application/xml'],
  svg: ['text', 'image/svg+xml'],
  eml: ['text', BYTES],
  png: ['image'],
  jpg: ['image'],
  jpeg: ['image'],
  gif: ['image'],
  webp: ['image'],
  bmp: ['image'],
  tif: ['image'],
  tiff: ['image'],
  heic: ['image'],
  mp3: ['media'],
  mp4: ['media'],
  m4a: ['media'],
  mov: ['media'],
  wav: ['media'],
  ogg: ['media'],
  webm: ['media'],
}

/** The types that the content alone determines. */
const TYPES: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  heic: 'image/heic',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  webm: 'video/webm',
  rtf: 'application/rtf',
  zip: 'application/zip',
  text: 'text/plain',
  ooxml: BYTES,
  odf: BYTES,
  ole: BYTES,
  packed: BYTES,
  program: BYTES,
  unknown: BYTES,
}

const WORDS: Readonly<Record<Family, string>> = {
  pdf: 'a PDF',
  image: 'an image',
  office: 'an office document',
  zip: 'a ZIP archive',
  media: 'sound or video',
  text: 'text',
  refused: 'a program',
  unknown: 'something else',
}

export type JudgedAttachment =
  | { ok: true; filename: string; content_type: string }
  | { ok: false; code: 'attachment_refused' | 'attachment_too_large'; reason: string }

const refused = (
  reason: string,
  code: 'attachment_refused' | 'attachment_too_large' = 'attachment_refused',
) => ({ ok: false, code, reason }) as const

/**
 * Checks a file by its name and its content: its type comes from the content, and files that mail servers refuse are refused
 * here at once. Takes linear time; nothing is unpacked.
 */
export function judgeAttachment(file: { filename: string; bytes: Uint8Array }): JudgedAttachment {
  const filename = attachmentName(file.filename)
  if (file.bytes.length === 0) return refused('The file is empty.')
  if (file.bytes.length > ATTACHMENT_BYTES)
    return refused(`The file is larger than ${sizeWords(ATTACHMENT_BYTES)}.`, 'attachment_too_large')
  const byName = refusedName(filename)
  if (byName) return refused(byName)
  const looked = lookInside(file.bytes)
  if ('reason' in looked) return refused(looked.reason)
  const { kind } = looked
  const family = FAMILIES[kind]
  const ending = fileEnding(filename)
  const [wanted, type] = NAMED[ending] ?? []
  if (wanted && wanted !== family)
    return refused(`The file is named .${ending}, but it is ${WORDS[family]}. Rename it to match its type.`)
  return { ok: true, filename, content_type: type ?? TYPES[kind] }
}

const MACROS = 'It contains macros. Mail servers refuse those.'

function lookInside(bytes: Uint8Array): { kind: FileKind } | { reason: string } {
  const kind = fileKind(bytes)
  if (kind === 'program') return { reason: 'The file is a program. Mail servers refuse those.' }
  if (kind === 'packed')
    return { reason: 'This archive cannot be checked. Use a ZIP instead, or share a link.' }
  if (kind === 'ole') return holdsMacros(bytes) ? { reason: MACROS } : { kind }
  return kind === 'zip' ? lookIntoZip(bytes) : { kind }
}

function lookIntoZip(bytes: Uint8Array): { kind: FileKind } | { reason: string } {
  const list = listZip(bytes)
  if (!list) return { reason: 'The ZIP archive is damaged or cut off.' }
  if (list.is_encrypted) return { reason: 'The ZIP archive has a password. Mail servers refuse those.' }
  if (list.names.some((name) => name.endsWith('vbaProject.bin') || name.startsWith('Basic/')))
    return { reason: MACROS }
  for (const name of list.names) {
    const inside = refusedInside(name)
    if (inside) return { reason: `In the archive: ${inside}` }
  }
  if (list.names.includes('[Content_Types].xml')) return { kind: 'ooxml' }
  return { kind: list.names[0] === 'mimetype' ? 'odf' : 'zip' }
}

/** The storage in which old Microsoft documents keep macros, in the encoding of their directory. */
const VBA = Buffer.from('_VBA_PROJECT', 'utf16le')

const holdsMacros = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, length).includes(VBA)
