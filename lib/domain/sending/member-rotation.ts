import type { Shares } from '#lib/domain/campaigns/sender-rotation'

/** Whom the senders of a campaign are given to, and what each of these people got of its leads so far. */
export interface Rotation {
  members: ReadonlyMap<string, readonly string[]>
  shares: Shares
}

/** Divides evenly among up to ten. */
const PARTS_OF_A_LEAD = 2_520
/** Has the senders that nobody was given. */
const NOBODY = 'nobody'

/** In the form that the loops count on: places of members, by meter. */
export interface MemberTurns {
  readonly names: readonly string[]
  readonly having: readonly (readonly number[])[]
  readonly parts: Float64Array
  /** Of members that no sender is given to at the moment. */
  readonly others: Shares
}

/** Whoever is new begins with what the one has who has least: they make up for nothing. */
export function createTurns(
  { members, shares }: Rotation,
  senders: readonly { sender_id: string }[],
): MemberTurns {
  const groups = senders.map(({ sender_id }) => {
    const given = members.get(sender_id) ?? []
    return given.length > 0 ? given : [NOBODY]
  })
  const names = [...new Set(groups.flat())].sort()
  const known = names.flatMap((name) => (Object.hasOwn(shares, name) ? [shares[name] ?? 0] : []))
  const least = known.length > 0 ? Math.min(...known) : 0
  return {
    names,
    having: groups.map((group) => group.map((name) => names.indexOf(name))),
    parts: Float64Array.from(names, (name) => (Object.hasOwn(shares, name) ? (shares[name] ?? 0) : least)),
    others: Object.fromEntries(Object.entries(shares).filter(([name]) => !names.includes(name))),
  }
}

/** Below 0: whoever has the first meter got less than those who have the second, on average of each. */
export function compareTurns(turns: MemberTurns, meter: number, other: number): number {
  const [one, two] = [turns.having[meter] ?? [], turns.having[other] ?? []]
  return sum(turns, one) * two.length - sum(turns, two) * one.length
}

export function countTurn(turns: MemberTurns, meter: number): void {
  const members = turns.having[meter] ?? []
  const part = Math.floor(PARTS_OF_A_LEAD / Math.max(1, members.length))
  for (const member of members) turns.parts[member] = (turns.parts[member] ?? 0) + part
}

export const toShares = ({ names, parts, others }: MemberTurns): Shares => ({
  ...others,
  ...Object.fromEntries(names.map((name, place) => [name, parts[place] ?? 0])),
})

const sum = (turns: MemberTurns, members: readonly number[]) =>
  members.reduce((total, member) => total + (turns.parts[member] ?? 0), 0)
