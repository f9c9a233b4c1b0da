import { type Orders, sortRows } from '#lib/domain/text/row-order'

type Rate = { rate: number | null }
type Group = {
  name: string
  sent: number
  contacted: number
  reply_rate: Rate
  bounce_rate: Rate
  unsubscribed: number
}

const VALUES: Orders<Group> = {
  name: ({ name }) => name,
  sent: ({ sent }) => sent,
  contacted: ({ contacted }) => contacted,
  replied: ({ reply_rate }) => reply_rate.rate,
  bounced: ({ bounce_rate }) => bounce_rate.rate,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
}

/** Whether a query names an order of groups; a leading minus sorts descending. */
export const isGroupOrder = (sort: unknown): sort is string =>
  typeof sort === 'string' && Object.hasOwn(VALUES, sort.replace(/^-/, ''))

/** Sorts groups by one of their figures, those without it last. Stable, and unchanged without an order. */
export const sortGroups = <G extends Group>(groups: readonly G[], sort: string | undefined): G[] =>
  sortRows(groups, VALUES, sort)
