/** The values of a form by control name; an empty control has no text. */
export type Fields = Readonly<Record<string, readonly string[]>>

/** A field in which two edits of the same object differ. */
export type Clash = { field: string; changed_by: 'me' | 'them' | 'both' }

const isSame = (one: Fields, other: Fields, field: string) => {
  const [a, b] = [one[field] ?? [], other[field] ?? []]
  return a.length === b.length && a.every((text, index) => text === b[index])
}

/** The fields that differ, in their order. */
export function differing(one: Fields, other: Fields): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((field) => !isSame(one, other, field))
}

/** The fields in which an edit and what somebody else saved meanwhile differ, and who of both changed them from the common base. */
export const findClashes = (base: Fields, mine: Fields, theirs: Fields): Clash[] =>
  differing(mine, theirs).map((field) => {
    if (isSame(base, mine, field)) return { field, changed_by: 'them' }
    return { field, changed_by: isSame(base, theirs, field) ? 'me' : 'both' }
  })

/** Whether saving would overwrite a change of theirs; fields that only I changed need no decision. */
export const isAtStake = (clashes: readonly Clash[]) => clashes.some(({ changed_by }) => changed_by !== 'me')

/** My edit, except for the fields that are taken from theirs. */
export function merged(mine: Fields, theirs: Fields, taken: ReadonlySet<string>): Fields {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  return Object.fromEntries(
    [...names].map((field) => [field, (taken.has(field) ? theirs[field] : mine[field]) ?? []]),
  )
}
