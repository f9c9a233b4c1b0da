/** A column that somebody can choose. An extra one is shown to whoever asked for it. */
export type Choosable = { key: string; label: string; isExtra?: boolean }

/** Where it is said, columns that are not named are hidden, later ones too. */
const ONLY_THESE = '-*'
/** A browser takes 4,096 bytes, name and attributes included. */
export const MAX_CHOICE_CHARS = 3_000

/**
 * The keys to show, in their order. A choice names columns from the first on, and with a minus those that are hidden;
 * columns that it does not know follow as usual, so that what is added later is seen.
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

/** The shortest choice that shows these; empty where it is what everybody sees. */
export function choiceText(all: readonly Choosable[], shown: readonly string[]): string {
  const chosen = new Set(shown)
  const usual = all.flatMap(({ key, isExtra }) => (isExtra ? [] : [key]))
  const hidden = usual.filter((key) => !chosen.has(key))
  if (hidden.length > shown.length) return onlyThese(shown)
  const minus = hidden.map((key) => `-${key}`)
  // What follows in its usual order need not be named.
  const places = new Map(usual.map((key, place) => [key, place]))
  const placeAt = (index: number) => places.get(shown[index] ?? '') ?? -1
  let named = shown.length
  let next = usual.length
  for (; named > 0 && placeAt(named - 1) >= 0 && placeAt(named - 1) < next; named -= 1)
    next = placeAt(named - 1)
  return [...shown.slice(0, named), ...minus].join()
}

/** What an address says that shows these whatever its reader chose. */
export const onlyThese = (shown: readonly string[]): string => [...shown, ONLY_THESE].join()

/** Where the choice of a table is kept. */
export const columnCookie = (table: string) => `columns_${table}`
