import { readEmailCell } from '#lib/domain/datasets/email-address'

export const COLUMN_TYPES = [
  'email',
  'url',
  'phone',
  'date',
  'datetime',
  'time',
  'number',
  'boolean',
  'text',
  'empty',
] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

const NUMBER = /^[-+(]?[\s$€£¥]*\d{1,3}([ ,.'\u00a0\u202f]?\d{3})*([.,]\d+)?\s?[%€£$)]?$|^-?\d+([.,]\d+)?%?$/
const URL_LIKE =
  /^(https?:\/\/|www\.)\S[^\s.]*\.\S+$|^([a-z0-9-]+\.)+(com|org|net|io|de|fr|es|it|pl|uk|eu|co|ai|dev|app|example|test)(\/\S*)?$/i
const DATE = /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})$/
const PHONE = /^(\+|00|0|\()[\d\s().\-/]{6,}(\s?(x|ext\.?)\s?\d+)?$|^\d{3}[-. ]\d{3}[-. ]\d{4}$/i

/** Longer texts are prose; skipping them also bounds the cost of the patterns below. */
const MAX_TYPED_CHARS = 500

/** The type of one cell text by itself. */
export function typeOfValue(text: string): ColumnType {
  const value = text.trim()
  if (value === '') return 'empty'
  if (value.length > MAX_TYPED_CHARS) return 'text'
  if (value.includes('@') && readEmailCell(value).kind === 'address') return 'email'
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)) return 'datetime'
  if (DATE.test(value)) return 'date'
  if (/^\d{1,2}:\d{2}(:\d{2})?$/.test(value)) return 'time'
  // Before numbers: a leading zero shows that the digits are a label (a phone number, a code), not an amount.
  if (PHONE.test(value) && !/^0[.,]/.test(value)) return 'phone'
  if (NUMBER.test(value)) return 'number'
  if (/^(true|false|yes|no)$/i.test(value)) return 'boolean'
  if (URL_LIKE.test(value)) return 'url'
  return 'text'
}

/** The type of most filled values (four of five; for addresses and links half is enough), otherwise text. */
export function guessType(values: readonly string[]): ColumnType {
  const counts = new Map<ColumnType, number>()
  let filled = 0
  for (const value of values) {
    const type = typeOfValue(value)
    if (type === 'empty') continue
    filled++
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  if (filled === 0) return 'empty'
  for (const [type, count] of counts) {
    const needed = type === 'email' || type === 'url' ? 0.5 : 0.8
    if (type !== 'text' && count / filled >= needed) return type
  }
  return 'text'
}
