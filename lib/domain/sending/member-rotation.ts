import type { Shares } from '#lib/domain/campaigns/sender-rotation'

/** Which members the campaign's senders belong to, and how many of its leads each member got so far. */
export interface Rotation {
  members: ReadonlyMap<string, readonly string[]>
  shares: Shares
}

/**
 * A lead counts as this many parts, divided evenly among the sender's members; divisible by every number up
 * to ten.
 */
const PARTS_OF_A_LEAD = 2_520
/** Stands for senders without a member. */
const NOBODY = 'nobody'

/** The form the loops work on: indexes into `names`, by meter. */
export interface MemberTurns {
  readonly names: readonly string[]
  readonly having: readonly (readonly number[])[]
  readonly parts: Float64Array
  /** Shares of members who have no sender at the moment. */
  readonly others: Shares
}

/**
 * A new member starts with the smallest existing share, so that they do not first get every lead until they
 * have caught up.
 */
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

/** Below 0 if the first meter's members got fewer leads, on average, than the second's. */
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
