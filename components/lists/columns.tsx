/** A column that can be chosen. Extra columns are hidden by default. */
export type Choosable = { key: string; label: string; isExtra?: boolean }

/** With this entry, columns that are not named are hidden, including ones added later. */
const ONLY_THESE = '-*'
/** Browsers accept 4,096 bytes including name and attributes. */
export const MAX_CHOICE_CHARS = 3_000

/**
 * The keys to show, in order. A choice lists columns from the first on, with a minus before hidden ones.
 * Unknown columns follow as usual, so that columns added later are visible.
 */
export function shownColumns(all: readonly Choosable[], choice: string | undefined): string[] {
  const said = new Set((choice ?? '').split(',').filter(Boolean))
  const known = new Set(all.map(({ key }) => key))
  const named = [...said].filter((key) => known.has(key))
  const isNamed = (key: string) => said.has(key) || said.has(`-${key}`)
  const usual = all.flatMap(({ key, isExtra }) => (isExtra ? [] : [key]))
  const rest = said.has(ONLY_THESE) ? [] : usual.filter((key) => !isNamed(key))
  const shown = [...named, ...rest]
  return shown.length > 0 ? shown : usual
}

/** The shortest choice that shows these columns; empty for the default. */
export function choiceText(all: readonly Choosable[], shown: readonly string[]): string {
  const chosen = new Set(shown)
  const usual = all.flatMap(({ key, isExtra }) => (isExtra ? [] : [key]))
  const hidden = usual.filter((key) => !chosen.has(key))
  if (hidden.length > shown.length) return onlyThese(shown)
  const minus = hidden.map((key) => `-${key}`)
  // Columns that follow in their default order need not be named.
  const places = new Map(usual.map((key, place) => [key, place]))
  const placeAt = (index: number) => places.get(shown[index] ?? '') ?? -1
  let named = shown.length
  let next = usual.length
  for (; named > 0 && placeAt(named - 1) >= 0 && placeAt(named - 1) < next; named -= 1)
    next = placeAt(named - 1)
  return [...shown.slice(0, named), ...minus].join()
}

/** A choice for a URL that shows exactly these columns, whatever the reader has chosen. */
export const onlyThese = (shown: readonly string[]): string => [...shown, ONLY_THESE].join()

/** The name of a table's cookie. */
export const columnCookie = (table: string) => `columns_${table}`
