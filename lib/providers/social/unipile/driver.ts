import type { SocialEvent, SocialProvider } from '#lib/providers/social/port'
import { type ClassicOptions, createClassic } from '#lib/providers/social/unipile/classic'
import { type CurrentOptions, createCurrent } from '#lib/providers/social/unipile/current'
import { currentEventIn, toEvents } from '#lib/providers/social/unipile/current-events'
import { isSigned, parseJson } from '#lib/providers/social/unipile/signature'

export type UnipileSettings = {
  /** The first version, whose address (the DSN) differs for each customer. */
  classic?: Omit<ClassicOptions, 'clock'>
  /** The second version. Its events report the accounts that a sign-in connects, so it requires its webhook's secret. */
  current?: CurrentOptions & { webhook_secret: string }
  clock?: () => Date
}

/** Account ids of the second version, and only those, begin like this. */
const isCurrentId = (accountId: string) => accountId.startsWith('acc_')

/**
 * The driver for both versions of Unipile's API, whose accounts and events differ. Each account is reached through the version
 * its id belongs to, each event is recognized by its shape, and new accounts are connected through the second version if it is
 * configured. An account of a version that is no longer configured is connected anew when its owner signs in again.
 */
export function createUnipile(settings: UnipileSettings): SocialProvider {
  const { clock = () => new Date() } = settings
  const classic = settings.classic && createClassic({ ...settings.classic, clock })
  const current = settings.current && createCurrent(settings.current)
  const one = current ?? classic
  if (!one) throw new Error('Neither version of Unipile’s API is set up.')
  const exactly = (id: string) => (isCurrentId(id) ? current : classic)
  const of = (id: string) => exactly(id) ?? one

  return {
    name: 'unipile',
    authLink: (link) => {
      const same = link.reconnect === null ? undefined : exactly(link.reconnect)
      return same ? same.authLink(link) : one.authLink({ ...link, reconnect: null })
    },
    account: (id) => of(id).account(id),
    disconnect: (account) => of(account.provider_account_id).disconnect(account),
    person: (account, identifier) => of(account.provider_account_id).person(account, identifier),
    act: (account, action, reference) => of(account.provider_account_id).act(account, action, reference),
    publish: (account, post, reference) => of(account.provider_account_id).publish(account, post, reference),
    deletePost: (account, id) => of(account.provider_account_id).deletePost(account, id),
    recentPosts: (account) => of(account.provider_account_id).recentPosts(account),
    postMetrics: (account, id) => of(account.provider_account_id).postMetrics(account, id),
    messages: (account, since, cursor) => of(account.provider_account_id).messages(account, since, cursor),
    connections: (account, cursor) => of(account.provider_account_id).connections(account, cursor),
    events: (headers, body): SocialEvent[] | null => {
      const event = settings.current ? currentEventIn(parseJson(body)) : null
      if (!event || !settings.current) return classic?.events(headers, body) ?? null
      const { webhook_secret } = settings.current
      return isSigned(webhook_secret, headers, body, clock()) ? toEvents(event) : null
    },
  }
}
