import { z } from 'zod'
import {
  type SocialAccountRef,
  type SocialAccountState,
  type SocialProvider,
  SocialReadError,
} from '#lib/providers/social/port'
import { actByClassic } from '#lib/providers/social/unipile/classic-actions'
import {
  Account,
  Link,
  Messages,
  Post,
  Posts,
  Profile,
  Relations,
  toMessage,
  toPerson,
  toPost,
} from '#lib/providers/social/unipile/classic-bodies'
import { type ClassicEventOptions, readClassicEvents } from '#lib/providers/social/unipile/classic-events'
import { askUnipile, type UnipileCall } from '#lib/providers/social/unipile/http'
import { isNetwork, readHandle } from '#lib/providers/social/unipile/names'
import { notSupported, readAnswer, toOutcome } from '#lib/providers/social/unipile/outcome'

/** Pages of messages per reading, newest first; older ones come with the next reading. */
const PAGES = 10
const GONE = ['CREDENTIALS', 'ERROR', 'STOPPED', 'DISCONNECTED', 'PERMISSIONS']
const segment = encodeURIComponent

export type ClassicOptions = ClassicEventOptions & {
  /** `api8.unipile.com:13851`, or a URL with its scheme. */
  dsn: string
  api_key: string
  timeout_ms?: number
  clock: () => Date
}

/** The driver for the first version of Unipile's API (developer.unipile.com/v1.0). */
export function createClassic(options: ClassicOptions): SocialProvider {
  const { dsn, clock } = options
  const base = new URL('/api/v1/', /^https?:\/\//.test(dsn) ? dsn : `https://${dsn}`)
  const ask = (call: UnipileCall) => askUnipile({ ...options, base }, call)
  const read = async <T extends z.ZodType>(call: UnipileCall, schema: T) =>
    readAnswer(await ask(call), schema)

  return {
    name: 'unipile',
    authLink: async (link) =>
      read(
        {
          method: 'POST',
          path: 'hosted/accounts/link',
          json: {
            type: link.reconnect ? 'reconnect' : 'create',
            ...(link.reconnect
              ? { reconnect_account: link.reconnect }
              : { providers: [link.network.toUpperCase()] }),
            api_url: base.origin,
            expiresOn: link.expires_at.toISOString(),
            name: link.state,
            success_redirect_url: link.redirect_url,
            failure_redirect_url: withFailure(link.redirect_url),
            notify_url: link.notify_url,
          },
        },
        Link,
      ),
    account: async (id) => toState(await read({ method: 'GET', path: `accounts/${segment(id)}` }, Account)),
    disconnect: async ({ provider_account_id }) => {
      const answer = await ask({ method: 'DELETE', path: `accounts/${segment(provider_account_id)}` })
      if (answer.status !== 404) readAnswer(answer, z.unknown())
    },
    person: async (account, identifier) => {
      const path = `users/${segment(readHandle(identifier))}`
      return toPerson(await read({ method: 'GET', path, query: of(account) }, Profile))
    },
    act: (account, action) => actByClassic(ask, account, action),
    publish: async (account, { text, image }) => {
      const form = new FormData()
      form.set('account_id', account.provider_account_id)
      form.set('text', text)
      if (image) {
        const file = new Blob([new Uint8Array(image.bytes)], { type: image.content_type })
        form.append('attachments', file, image.filename)
      }
      const answer = await ask({ method: 'POST', path: 'posts', form })
      return toOutcome(answer, z.object({ post_id: z.string().min(1) }), ({ post_id }) => ({
        provider_post_id: post_id,
        social_id: null,
        url: null,
      }))
    },
    deletePost: async () =>
      notSupported(
        'The first version of Unipile’s API cannot delete posts. Delete it on the network.',
        'message',
      ),
    recentPosts: async (account) => {
      const me = await read({ method: 'GET', path: 'users/me', query: of(account) }, Profile)
      const path = `users/${segment(me.provider_id)}/posts`
      const { items } = await read({ method: 'GET', path, query: { ...of(account), limit: 20 } }, Posts)
      return items.flatMap((post) =>
        post.parsed_datetime ? [{ ...toPost(post), text: post.text ?? '', at: post.parsed_datetime }] : [],
      )
    },
    postMetrics: async (account, id) => {
      const post = await read({ method: 'GET', path: `posts/${segment(id)}`, query: of(account) }, Post)
      return {
        impressions: post.impressions_counter ?? null,
        reactions: post.reaction_counter ?? null,
        comments: post.comment_counter ?? null,
        reposts: post.repost_counter ?? null,
      }
    },
    messages: async (account, since, cursor) => {
      const fetched = []
      let next = cursor
      for (let turn = 0; turn < PAGES; turn++) {
        const query = { ...of(account), after: since.toISOString(), limit: 100, cursor: next }
        const page = await read({ method: 'GET', path: 'messages', query }, Messages)
        fetched.push(...page.items.filter((row) => !row.is_event && !row.hidden).map(toMessage))
        next = page.cursor ?? null
        if (!next) break
      }
      // The API's `after` has a resolution of seconds, and answers come newest first.
      const items = fetched.filter(({ at }) => at >= since)
      return { items: items.sort((a, b) => a.at.getTime() - b.at.getTime()), next_cursor: next }
    },
    connections: async (account, cursor) => {
      const query = { ...of(account), limit: 100, cursor }
      const page = await read({ method: 'GET', path: 'users/relations', query }, Relations)
      const items = page.items.map(({ member_id, created_at }) => ({
        provider_id: member_id,
        at: created_at ? new Date(created_at) : null,
      }))
      return { items, next_cursor: page.cursor ?? null }
    },
    events: (headers, body) => readClassicEvents(options, headers, body, clock()),
  }
}

const of = ({ provider_account_id }: SocialAccountRef) => ({ account_id: provider_account_id })

function withFailure(redirect: string): string {
  const url = new URL(redirect)
  url.searchParams.set('failed', '1')
  return url.href
}

function toState(account: z.output<typeof Account>): SocialAccountState {
  const network = account.type.toLowerCase()
  if (!isNetwork(network))
    throw new SocialReadError('not_found', `Accounts of type ${account.type} are not supported.`)
  const bad = account.sources?.find(({ status }) => GONE.includes(status))
  const im = account.connection_params?.im
  return {
    provider_account_id: account.id,
    network,
    status: bad ? 'disconnected' : 'connected',
    status_reason: bad ? bad.status : null,
    name: account.name || im?.username || network,
    handle: im?.publicIdentifier ?? null,
    avatar_url: null,
    kind: im?.premiumFeatures?.[0] ?? 'free',
  }
}
