/** What a form says, by the name of its control; one that is empty has no text. */
export type Fields = Readonly<Record<string, readonly string[]>>

/** A field on which two edits of one thing differ. */
export type Clash = { field: string; changed_by: 'me' | 'them' | 'both' }

const isSame = (one: Fields, other: Fields, field: string) => {
  const [a, b] = [one[field] ?? [], other[field] ?? []]
  return a.length === b.length && a.every((text, index) => text === b[index])
}

/** The fields that are not the same in both, in their order. */
export function differing(one: Fields, other: Fields): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((field) => !isSame(one, other, field))
}

/** Where an edit and what somebody else saved meanwhile part, and who of both left the base that they began from. */
export const findClashes = (base: Fields, mine: Fields, theirs: Fields): Clash[] =>
  differing(mine, theirs).map((field) => {
    if (isSame(base, mine, field)) return { field, changed_by: 'them' }
    return { field, changed_by: isSame(base, theirs, field) ? 'me' : 'both' }
  })

/** Whether anything of theirs would be written over: what only I changed, nobody need choose. */
export const isAtStake = (clashes: readonly Clash[]) => clashes.some(({ changed_by }) => changed_by !== 'me')

/** My edit, but for the fields that are taken from theirs. */
export function merged(mine: Fields, theirs: Fields, taken: ReadonlySet<string>): Fields {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  return Object.fromEntries(
    [...names].map((field) => [field, (taken.has(field) ? theirs[field] : mine[field]) ?? []]),
  )
}
