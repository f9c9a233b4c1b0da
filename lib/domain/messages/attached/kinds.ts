/** The kinds of files by content, in families: within a family a wrong extension does no harm. */
export const FAMILIES = {
  pdf: 'pdf',
  png: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  bmp: 'image',
  tiff: 'image',
  heic: 'image',
  ooxml: 'office',
  odf: 'office',
  ole: 'office',
  rtf: 'office',
  zip: 'zip',
  mp3: 'media',
  mp4: 'media',
  wav: 'media',
  ogg: 'media',
  webm: 'media',
  text: 'text',
  packed: 'refused',
  program: 'refused',
  unknown: 'unknown',
} as const
export type FileKind = keyof typeof FAMILIES
export type Family = (typeof FAMILIES)[FileKind]

type Mark = { kind: FileKind; at?: number; bytes: readonly number[] | string }

/** The first bytes of each kind. */
const MARKS: readonly Mark[] = [
  { kind: 'pdf', bytes: '%PDF-' },
  { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
  { kind: 'gif', bytes: 'GIF8' },
  { kind: 'webp', at: 8, bytes: 'WEBP' },
  { kind: 'tiff', bytes: [0x49, 0x49, 0x2a, 0x00] },
  { kind: 'tiff', bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { kind: 'heic', at: 4, bytes: 'ftyphei' },
  { kind: 'heic', at: 4, bytes: 'ftypmif1' },
  { kind: 'mp4', at: 4, bytes: 'ftyp' },
  { kind: 'wav', at: 8, bytes: 'WAVE' },
  { kind: 'ogg', bytes: 'OggS' },
  { kind: 'webm', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { kind: 'mp3', bytes: 'ID3' },
  { kind: 'mp3', bytes: [0xff, 0xfb] },
  { kind: 'ole', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { kind: 'rtf', bytes: '{\\rtf' },
  { kind: 'zip', bytes: 'PK\u0003\u0004' },
  { kind: 'zip', bytes: 'PK\u0005\u0006' },
  { kind: 'packed', bytes: 'Rar!' },
  { kind: 'packed', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { kind: 'packed', bytes: [0x1f, 0x8b] },
  { kind: 'packed', bytes: 'BZh' },
  { kind: 'packed', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { kind: 'program', bytes: '#!' },
  { kind: 'program', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { kind: 'program', bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { kind: 'program', bytes: [0xfe, 0xed, 0xfa, 0xce] },
  { kind: 'program', bytes: [0xfe, 0xed, 0xfa, 0xcf] },
  { kind: 'program', bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { kind: 'program', bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { kind: 'program', bytes: 'dex\n' },
  { kind: 'program', bytes: 'MSCF' },
  { kind: 'program', bytes: 'ITSF' },
  { kind: 'program', bytes: [0x4c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00] },
  { kind: 'program', at: 0x8001, bytes: 'CD001' },
]

function isMarked(file: Uint8Array, { at = 0, bytes }: Mark): boolean {
  const wanted = typeof bytes === 'string' ? [...bytes].map((char) => char.charCodeAt(0)) : bytes
  return wanted.every((byte, index) => file[at + index] === byte)
}

const beginsWith = (file: Uint8Array, bytes: readonly number[]) => isMarked(file, { kind: 'unknown', bytes })

/** Text in any encoding: no bytes without a meaning. */
function isText(file: Uint8Array): boolean {
  if (beginsWith(file, [0xff, 0xfe]) || beginsWith(file, [0xfe, 0xff])) return true
  return file.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b)
}

/** The kind by the first bytes; ZIPs and old Microsoft documents are distinguished further. */
export function fileKind(file: Uint8Array): FileKind {
  const marked = MARKS.find((mark) => isMarked(file, mark))
  if (marked) return marked.kind
  if (isText(file)) return 'text'
  if (beginsWith(file, [0x4d, 0x5a])) return 'program'
  return beginsWith(file, [0x42, 0x4d]) ? 'bmp' : 'unknown'
}
