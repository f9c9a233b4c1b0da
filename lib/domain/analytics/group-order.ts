type Rate = { rate: number | null }
type Group = {
  name: string
  sent: number
  contacted: number
  reply_rate: Rate
  bounce_rate: Rate
  unsubscribed: number
}

const VALUES: Record<string, (group: Group) => string | number | null> = {
  name: ({ name }) => name,
  sent: ({ sent }) => sent,
  contacted: ({ contacted }) => contacted,
  replied: ({ reply_rate }) => reply_rate.rate,
  bounced: ({ bounce_rate }) => bounce_rate.rate,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
}

/** An order that groups can be put in, as an address names it; a minus sorts from the last. */
export const isGroupOrder = (sort: unknown): sort is string =>
  typeof sort === 'string' && Object.hasOwn(VALUES, sort.replace(/^-/, ''))

/** Groups by one of their figures, those without it last; among equals, and without an order, as they were. */
export function sortGroups<G extends Group>(groups: readonly G[], sort: string | undefined): G[] {
  const toValue = sort === undefined ? undefined : VALUES[sort.replace(/^-/, '')]
  if (!toValue) return [...groups]
  const way = sort?.startsWith('-') ? -1 : 1
  return groups.toSorted((one, other) => {
    const [a, b] = [toValue(one), toValue(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const isLess = typeof a === 'string' || typeof b === 'string' ? `${a}`.localeCompare(`${b}`) : a - b
    return way * isLess
  })
}
