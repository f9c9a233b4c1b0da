import * as XLSX from 'xlsx'

/** The longest number format that spreadsheet programs accept. */
const MAX_FORMAT_CHARS = 255

export type NumberText = (value: number, raw?: string) => string

const ERROR_TEXTS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
}

export const booleanText = (value: boolean) => (value ? 'TRUE' : 'FALSE')
export const errorText = (code: number) => ERROR_TEXTS[code] ?? '#N/A'

/** The number formats that a style may name by number alone (ECMA-376 part 1, 18.8.30). */
export const BUILTIN_FORMATS: Readonly<Record<number, string>> = {
  ...XLSX.SSF.get_table(),
  // The East Asian formats: their text depends on the language, but each is a date or a time.
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'm/d/yy'])),
  ...Object.fromEntries([32, 33, 34, 35, 55, 56].map((id) => [id, 'h:mm:ss'])),
}

/**
 * How a number format shows a number: leading zeros, percent and currency as in the sheet; dates as YYYY-MM-DD,
 * with a time of day as YYYY-MM-DDTHH:MM:SS, times alone as HH:MM:SS; long numbers with all their digits, never
 * as 1.23E+15. `raw` is the number as the file spells it, where the format has such a spelling.
 */
export function numberText(format: string, date1904: boolean): NumberText {
  const kind = formatKind(format)
  if (kind === 'general') return generalText
  if (kind === 'number') return (value, raw) => formatted(format, value, raw)
  return (value) => dateText(value, kind, date1904) ?? generalText(value)
}

type FormatKind = 'general' | 'number' | 'date' | 'datetime' | 'time'

function formatKind(format: string): FormatKind {
  if (format.length > MAX_FORMAT_CHARS || /^(general|@|)$/i.test(format)) return 'general'
  if (/[0#?]E[+-]/i.test(format)) return 'general'
  if (/\[(h+|m+|s+)\]/i.test(format)) return 'number'
  const bare = withoutLiterals(format.split(';', 1)[0] ?? '')
    .replace(/general|am\/pm|a\/p|上午\/下午/gi, '')
    .replace(/s[.,]0+/gi, 's')
  if (/[0#?]/.test(bare)) return 'number'
  const time = /[hs]/i.test(bare)
  const date = /[ydegb年月日]/i.test(bare) || (!time && /m/i.test(bare)) || /m{3,}/i.test(bare)
  return date ? (time ? 'datetime' : 'date') : time ? 'time' : 'number'
}

/** A format without its literals: quoted texts, escaped characters, and colours and conditions in brackets. */
function withoutLiterals(format: string): string {
  const kept: string[] = []
  for (let at = 0; at < format.length; at++) {
    const char = format[at] ?? ''
    if (char === '\\' || char === '_' || char === '*') at++
    else if (char === '"' || char === '[') {
      const end = format.indexOf(char === '[' ? ']' : '"', at + 1)
      if (end === -1) break
      at = end
    } else kept.push(char)
  }
  return kept.join('')
}

function formatted(format: string, value: number, raw?: string): string {
  if (/^[0#]+$/.test(format) && Number.isInteger(value)) {
    // The format only pads with zeros, and a phone number may have more digits than a float can hold.
    const digits = generalText(Math.abs(value), raw?.replace('-', ''))
    return (value < 0 ? '-' : '') + digits.padStart(format.replaceAll('#', '').length, '0')
  }
  // The format library falls back to exponents here, and spreadsheets have at most fifteen significant digits.
  if (Math.abs(value) >= 1e15) return generalText(value, raw)
  try {
    return XLSX.SSF.format(format, value).trim()
  } catch {
    // An unreadable format must not lose the number.
    return generalText(value, raw)
  }
}

/** All digits: integers exactly, fractions to the 15 digits that spreadsheets calculate with. */
export function generalText(value: number, raw?: string): string {
  if (raw !== undefined && /^-?[1-9]\d{15,}$/.test(raw)) return raw
  if (!Number.isFinite(value)) return ''
  const text = String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))
  return text.includes('e') ? withoutExponent(text) : text
}

function withoutExponent(text: string): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  const digits = whole + fraction
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`
  return sign + digits.padEnd(shift + 1, '0')
}

const SECONDS_PER_DAY = 86_400
const DAYS_FROM_1900_TO_1904 = 1_462
/** Serial 60 is 29 February 1900, which did not exist: serials up to it count from a day later. */
const LEAP_YEAR_BUG = 60
const LAST_SERIAL = 2_958_465

/** A date serial as ISO text, to the second; null if the number is no valid date. */
function dateText(value: number, kind: 'date' | 'datetime' | 'time', date1904: boolean): string | null {
  const seconds = Math.round(value * SECONDS_PER_DAY)
  const serialDay = Math.floor(seconds / SECONDS_PER_DAY)
  const time = clockText(seconds - serialDay * SECONDS_PER_DAY)
  const day = date1904 ? serialDay + DAYS_FROM_1900_TO_1904 : serialDay
  if (serialDay < 0 || day > LAST_SERIAL || !Number.isFinite(value)) return null
  if (kind === 'time' || (kind === 'datetime' && day === 0)) return time
  if (day === 0) return null
  const date = day === LEAP_YEAR_BUG ? '1900-02-29' : isoDay(day)
  return kind === 'date' ? date : `${date}T${time}`
}

/** A cache: dates repeat from row to row, and formatting one is the most expensive part of reading it. */
const isoDays = new Map<number, string>()

function isoDay(day: number): string {
  let text = isoDays.get(day)
  if (text === undefined) {
    const daysSince1900 = day < LEAP_YEAR_BUG ? day : day - 1
    text = new Date(Date.UTC(1899, 11, 31 + daysSince1900)).toISOString().slice(0, 10)
    if (isoDays.size < 100_000) isoDays.set(day, text)
  }
  return text
}

function clockText(seconds: number): string {
  const part = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`
}
