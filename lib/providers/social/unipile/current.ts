import { z } from 'zod'
import {
  type SocialAccountRef,
  type SocialAccountState,
  type SocialMessage,
  type SocialProvider,
  SocialReadError,
} from '#lib/providers/social/port'
import { actByCurrent } from '#lib/providers/social/unipile/current-actions'
import {
  Account,
  Chats,
  Link,
  Messages,
  Post,
  Posts,
  Profile,
  Relations,
  toMessage,
  toMetrics,
  toPerson,
  toPost,
} from '#lib/providers/social/unipile/current-bodies'
import { askUnipile, type UnipileCall } from '#lib/providers/social/unipile/http'
import { isNetwork, readHandle } from '#lib/providers/social/unipile/names'
import { readAnswer, toOutcome } from '#lib/providers/social/unipile/outcome'

/** The second version has a single address. */
export const CURRENT_URL = 'https://api.unipile.com/v2'

export type CurrentOptions = { url?: string; api_key: string; timeout_ms?: number }

/** The chats, and pages of each, that one reading covers, newest first; older ones come with the next reading. */
const MOST_CHATS = 100
const MOST_PAGES = 4
const PAGE = 50
const GONE = ['disconnected', 'errored', 'paused']
const segment = encodeURIComponent
const own = ({ provider_account_id }: SocialAccountRef) => segment(provider_account_id)

/** The driver for the second version of Unipile's API (developer.unipile.com/v2.0), without its events. */
export function createCurrent(options: CurrentOptions): Omit<SocialProvider, 'events' | 'name'> {
  const base = new URL(`${(options.url ?? CURRENT_URL).replace(/(?<!\/)\/+$/, '')}/`)
  const ask = (call: UnipileCall) => askUnipile({ ...options, base }, call)
  const read = async <T extends z.ZodType>(path: string, schema: T, query: UnipileCall['query'] = {}) =>
    readAnswer(await ask({ method: 'GET', path, query }), schema)

  return {
    authLink: async (link) => {
      const json = {
        ...(link.reconnect ? { account_id: link.reconnect } : { providers: [link.network] }),
        expires_on: link.expires_at.toISOString(),
        redirect_uri: link.redirect_url,
        state: link.shown_state,
      }
      const answer = readAnswer(await ask({ method: 'POST', path: 'auth/link', json }), Link)
      return { url: answer.link }
    },
    account: async (id) => readState(await read(`accounts/${segment(id)}`, Account), read),
    disconnect: async (account) => {
      const answer = await ask({ method: 'DELETE', path: `accounts/${own(account)}` })
      if (answer.status !== 404) readAnswer(answer, z.unknown())
    },
    person: async (account, identifier) =>
      toPerson(await read(`${own(account)}/users/${segment(readHandle(identifier))}`, Profile)),
    act: (account, action) => actByCurrent(ask, account, action),
    publish: async (account, { text, image }) => {
      const attachments = image
        ? [
            {
              filename: image.filename,
              content_type: image.content_type,
              content: Buffer.from(image.bytes).toString('base64'),
            },
          ]
        : []
      const json = { text, attachments, specifics: {} }
      return toOutcome(await ask({ method: 'POST', path: `${own(account)}/posts`, json }), Post, toPost)
    },
    deletePost: async (account, id) => {
      const answer = await ask({ method: 'DELETE', path: `${own(account)}/posts/${segment(id)}` })
      return toOutcome(answer, z.unknown(), () => null)
    },
    recentPosts: async (account) => {
      const { data } = await read(`${own(account)}/users/me/posts`, Posts, { limit: 20 })
      return data.flatMap((post) =>
        post.created_at ? [{ ...toPost(post), text: post.text ?? '', at: post.created_at }] : [],
      )
    },
    postMetrics: async (account, id) => toMetrics(await read(`${own(account)}/posts/${segment(id)}`, Post)),
    messages: async (account, since) => {
      const items = await messagesSince(read, account, since)
      return { items: items.sort((a, b) => a.at.getTime() - b.at.getTime()), next_cursor: null }
    },
    connections: async (account, cursor) => {
      const path = `${own(account)}/users/me/relations`
      const { data, next_cursor } = await read(path, Relations, { limit: 100, cursor })
      const items = data.map(({ user, created_at }) => ({ provider_id: user.id, at: created_at ?? null }))
      return { items, next_cursor: next_cursor ?? null }
    },
  }
}

type Read = <T extends z.ZodType>(
  path: string,
  schema: T,
  query?: UnipileCall['query'],
) => Promise<z.output<T>>

/** The API has no list of all messages: it reads the chats with activity since then, and the newest messages of each. */
async function messagesSince(read: Read, account: SocialAccountRef, since: Date): Promise<SocialMessage[]> {
  const inbox = account.network === 'linkedin' ? 'inboxes/CLASSIC_PRIMARY/chats' : 'chats'
  const fetched: SocialMessage[] = []
  const pages = readPages(read, `${own(account)}/${inbox}`, Chats, MOST_CHATS / PAGE)
  for await (const chats of pages) {
    const moved = chats.filter((chat) => !chat.last_message_timestamp || chat.last_message_timestamp >= since)
    for (const chat of moved) {
      const path = `${own(account)}/chats/${segment(chat.id)}/messages`
      for await (const rows of readPages(read, path, Messages, MOST_PAGES)) {
        const fresh = rows.filter(({ timestamp }) => timestamp >= since)
        const of = chat.is_1to1 ? (chat.user_id ?? null) : null
        fetched.push(...fresh.flatMap((row) => toMessage(row, of) ?? []))
        if (fresh.length < rows.length) break
      }
    }
    if (moved.length < chats.length) break
  }
  return fetched
}

/** Pages newest first: by cursor if one is given, otherwise by offset until a page is empty. */
async function* readPages<Item>(
  read: Read,
  path: string,
  schema: z.ZodType<{ data: Item[]; next_cursor?: string | null | undefined }>,
  most: number,
): AsyncGenerator<Item[]> {
  let where: { cursor: string } | { offset: number } = { offset: 0 }
  for (let turn = 0; turn < most; turn++) {
    const query: UnipileCall['query'] = { limit: PAGE, ...where }
    const { data, next_cursor }: z.output<typeof schema> = await read(path, schema, query)
    yield data
    if (data.length === 0 || (!next_cursor && data.length < PAGE)) return
    where = next_cursor ? { cursor: next_cursor } : { offset: (turn + 1) * PAGE }
  }
}

async function readState(account: z.output<typeof Account>, read: Read): Promise<SocialAccountState> {
  const network = account.provider.toLowerCase()
  if (!isNetwork(network))
    throw new SocialReadError('not_found', `Accounts of type ${account.provider} are not supported.`)
  const isGone = GONE.includes(account.status)
  // An account that is signed out cannot be asked for its profile.
  const me = isGone ? null : await read(`${segment(account.id)}/users/me`, Profile)
  return {
    provider_account_id: account.id,
    network,
    status: isGone ? 'disconnected' : 'connected',
    status_reason: isGone ? account.status : null,
    name: account.name || me?.display_name || network,
    handle: me?.public_identifier ?? null,
    avatar_url: me?.public_picture_url ?? null,
    kind: accountKind(account, me),
  }
}

/** The account's subscription: a product it is signed in to, or premium. */
function accountKind({ metadata }: z.output<typeof Account>, me: z.output<typeof Profile> | null): string {
  const products = Object.entries(metadata?.products_connection_status ?? {})
  const isOn = (name: string) =>
    products.some(([product, status]) => product.includes(name) && status === 'running')
  if (isOn('recruiter')) return 'recruiter'
  if (isOn('sales_navigator')) return 'sales_navigator'
  return me?.specifics?.is_premium ? 'premium' : 'free'
}
