import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Account = { id: string; provider: string; name: string; status: 'running' | 'disconnected' }
type Said = {
  id: string
  chat_id: string
  sender_id: string
  is_sender: boolean
  text: string
  timestamp: string
}
type Json = Record<string, unknown>
type Answer = [status: number, body?: unknown]
/** Method and path, with `:` for variable parts; `ids` are those parts in order. */
type Routes = Record<string, (ids: string[], body: Json) => Answer>

const problem = (status: number, type: string): Answer => [status, { object: 'Error', type, status }]
const list = (data: Iterable<unknown>): Answer => [200, { data: [...data], next_cursor: null }]
const NOBODY = problem(404, 'provider/resource_not_found')

/** The data of one application on the network, in memory. */
function aNetwork(clock: () => Date) {
  let made = 0
  const said: Said[] = []
  const now = () => clock().toISOString()
  return {
    accounts: new Map<string, Account>(),
    invitations: new Map<string, { id: string; type: string; user: { id: string } }>(),
    relations: new Map<string, { user: { id: string }; created_at: string }>(),
    posts: new Map<string, Json & { id: string }>(),
    /** The parameters of the sign-in links that were requested. */
    links: [] as Json[],
    said,
    now,
    id: (kind: string) => `${kind}${++made}`,
    say(chat_id: string, is_sender: boolean, text: unknown): Said {
      const sender_id = is_sender ? 'me' : chat_id.slice(2)
      const row = { id: `m${++made}`, chat_id, sender_id, is_sender, text: String(text), timestamp: now() }
      said.push(row)
      return row
    },
  }
}
type Network = ReturnType<typeof aNetwork>

const coreRoutes = ({ accounts, links }: Network): Routes => ({
  'POST auth/link': (_, body) => {
    links.push(body)
    return [200, { object: 'AuthLink', link: `https://auth.unipile.test/${links.length}` }]
  },
  'GET accounts/:': ([id = '']) => {
    const account = accounts.get(id)
    if (!account) return problem(404, 'api/resource_not_found')
    return [200, { object: 'Account', user_id: 'me', metadata: {}, ...account }]
  },
  'DELETE accounts/:': ([id = '']) => (accounts.delete(id) ? [204] : problem(404, 'api/resource_not_found')),
})

const peopleRoutes = (network: Network): Routes => ({
  'GET users/:': ([named = '']) => {
    if (named.includes('nobody')) return NOBODY
    const id = named.startsWith('ACo') ? named : `ACo-${named}`
    const specifics = {
      network_distance: network.relations.has(id) ? 'FIRST_DEGREE' : 'SECOND_DEGREE',
      relation_request: network.invitations.values().find(({ user }) => user.id === id) ?? null,
      notify_visit_token: `visit ${id}`,
    }
    return [200, { object: 'UserProfile', id, public_identifier: named, display_name: named, specifics }]
  },
  'POST users/visit-profile': () => [200, {}],
  'POST users/me/follow/:': () => [200, {}],
  'GET users/me/relations': () => list(network.relations.values()),
  'GET users/me/relation-requests': () => list(network.invitations.values()),
  'POST users/me/relation-requests': (_, { user_id }) => {
    const user = { id: String(user_id) }
    if (network.relations.has(user.id)) return problem(409, 'provider/conflict')
    const invitation = { id: network.id('i'), type: 'sent', user }
    network.invitations.set(invitation.id, invitation)
    return [201, { object: 'RelationRequest', ...invitation }]
  },
  'POST users/me/relation-requests/:/cancel': ([id = '']) =>
    network.invitations.delete(id) ? [200, {}] : NOBODY,
})

const chatRoutes = (network: Network): Routes => ({
  'POST inboxes/:/chats/send': (_, { users_ids, text }) => {
    const person = String([users_ids].flat()[0])
    if (!network.relations.has(person)) return problem(422, 'provider/unprocessable_entity')
    const { id, chat_id } = network.say(`2-${person}`, true, text)
    return [200, { object: 'ChatStarted', chat_id, message_id: id }]
  },
  'POST chats/:/messages/send': ([chat = ''], { text }) => [
    200,
    { object: 'MessageSent', message_id: network.say(chat, true, text).id },
  ],
  'GET chats/:/messages': ([chat]) =>
    list(network.said.filter(({ chat_id }) => chat_id === chat).toReversed()),
  'GET inboxes/:/chats': () => {
    const chats = new Map(network.said.map(({ chat_id, timestamp }) => [chat_id, timestamp]))
    return list(
      chats.entries().map(([id, last_message_timestamp]) => {
        return { id, is_1to1: true, user_id: id.slice(2), last_message_timestamp }
      }),
    )
  },
})

const postRoutes = ({ posts, id, now }: Network): Routes => ({
  'POST posts': (_, { text }) => {
    const post = { id: id('p'), text, created_at: now() }
    posts.set(post.id, post)
    return [201, { ...post, share_url: `https://network.test/${post.id}` }]
  },
  'DELETE posts/:': ([post = '']) => (posts.delete(post) ? [204] : NOBODY),
})

function routed(routes: Routes, method: string, path: string[], body: Json): Answer {
  for (const [route, answer] of Object.entries(routes)) {
    const [verb, pattern = ''] = route.split(' ')
    const parts = pattern.split('/')
    const fits = parts.length === path.length && parts.every((part, at) => part === ':' || part === path[at])
    if (verb === method && fits)
      return answer(
        path.filter((_, at) => parts[at] === ':'),
        body,
      )
  }
  return problem(501, 'api/not_implemented')
}

/**
 * A server that speaks version 2 of Unipile's API for one application: it requires a key, and refuses with Unipile's
 * problem documents. Events on the network are reported by signed webhooks, which `tell` makes.
 */
export async function unipileServer(key: string, secret: string, clock: () => Date = () => new Date()) {
  const network = aNetwork(clock)
  const core = coreRoutes(network)
  // Literal path segments come before variable ones.
  const own = { ...postRoutes(network), ...chatRoutes(network), ...peopleRoutes(network) }

  function answer({ headers, method = '', url = '' }: IncomingMessage, body: Json): Answer {
    if (headers['x-api-key'] !== key) return problem(401, 'api/missing_authorization')
    const { pathname } = new URL(url, 'http://unipile.test')
    const [version, ...path] = pathname.split('/').filter(Boolean).map(decodeURIComponent)
    if (version !== 'v2') return problem(404, 'api/resource_not_found')
    if (!path[0]?.startsWith('acc_')) return routed(core, method, path, body)
    const account = network.accounts.get(path[0])
    if (!account) return problem(404, 'api/resource_not_found')
    if (account.status !== 'running') return problem(401, 'provider/invalid_authorization')
    return routed(own, method, path.slice(1), body)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const [status, body] = answer(request, text ? JSON.parse(text) : {})
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    ...network,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    /** The person accepts the invitation, and can be written to from now on. */
    connects(person: string) {
      for (const [id, { user }] of network.invitations) if (user.id === person) network.invitations.delete(id)
      network.relations.set(person, { user: { id: person }, created_at: network.now() })
    },
    says: (person: string, text: string) => network.say(`2-${person}`, false, text),
    /** The request as the webhook endpoint receives it. */
    tell(account_id: string, type: string, payload: object, signedWith = secret): Request {
      const event = { id: network.id('evt_'), created_at: network.now(), account_id, type, payload }
      const body = JSON.stringify(event)
      const t = Math.floor(clock().getTime() / 1_000)
      const v0 = createHmac('sha256', signedWith).update(`${t}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'unipile-signature': `t=${t},v0=${v0}` }
      return new Request('http://opener.test/api/social/unipile', { method: 'POST', headers, body })
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
