import { isRecord } from '#lib/domain/text/record'

/** Everything that a text for one lead may be based on. Cells are data of strangers; the rest comes from the owner. */
export type Material = {
  /** The lead's non-empty cells, by key. */
  cells: Record<string, string>
  /** The sender profile, by key. */
  sender: Record<string, string>
  /** The template as rendered for this lead; null if there is none. */
  template: { subject: string; body: string } | null
  /** The owner's instructions. */
  prompt: string
  /** The form of the text, if it is not an email. */
  form?: TextForm
}

export type TextForm = { action_type: string; longest: number; has_subject: boolean }

/** A statement and its source: a cell such as `company`, or `sender.title`, `template` or `prompt`. */
export type Claim = { text: string; cell: string }

export type Written = { subject: string; body: string; claims: Claim[] }

/** Replaced by the unsubscribe URL when the text is sent: the real one belongs to the action that sends it. */
export const UNSUBSCRIBE_MARK = 'https://unsubscribe.invalid/'

/** Instructions to a machine where a fact was expected. Such a cell is neither shown to a model nor accepted as a source. */
const OVERRIDES =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|these|the)\b.{0,30}\b(?:instruction|prompt|rule|message|context|direction)s?\b/is
const ORDERS =
  /\b(?:system|developer)\s*(?:prompt|message)\b|\byou are (?:now|no longer)\b|\b(?:assistant|system|user)\s*:|<\/?(?:data|system|instructions?|prompt)\b|\bas an? (?:ai|language model)\b|\b(?:respond|reply|answer|output|write) (?:only )?(?:with|exactly|the following)\b|\bnew instructions?\b/is

export const givesOrders = (text: string) => ORDERS.test(text) || OVERRIDES.test(text)

/** Every readable value of a record, as text; nested values under dotted keys, empty ones left out. */
export function textCells(record: Record<string, unknown>, before = '', depth = 0): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]): [string, string][] => {
      if (isRecord(value))
        return depth < 3 ? Object.entries(textCells(value, `${before}${key}.`, depth + 1)) : []
      const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value
      if (typeof text !== 'string' && typeof text !== 'number' && typeof text !== 'boolean') return []
      const clean = String(text).trim().toWellFormed()
      return clean ? [[`${before}${key}`, clean]] : []
    }),
  )
}

/** The cells that a model may see: those with instructions are withheld. */
export function shownCells(cells: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => !givesOrders(value)))
}
