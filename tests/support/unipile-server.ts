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

/**
 * A server that speaks the second version of Unipile's API for one application: accounts, people, invitations, chats and
 * posts, kept in memory, asked with a key and refused by its own problems. What happens at the network is told by signed
 * events, which `tell` makes.
 */
export async function unipileServer(key: string, secret: string, clock: () => Date = () => new Date()) {
  const accounts = new Map<string, Account>()
  const invitations = new Map<string, { id: string; user: { id: string } }>()
  const relations = new Map<string, { user: { id: string }; created_at: string }>()
  const posts = new Map<string, Json & { id: string }>()
  const said: Said[] = []
  const links: Json[] = []
  let made = 0

  const chatOf = (person: string) => `2-${person}`
  function say(person: string, text: string, is_sender: boolean): Said {
    const sender_id = is_sender ? 'me' : person
    const timestamp = clock().toISOString()
    const row = { id: `m${++made}`, chat_id: chatOf(person), sender_id, is_sender, text, timestamp }
    said.push(row)
    return row
  }
  const profile = (id: string) => ({
    object: 'UserProfile',
    id: id.startsWith('ACo') ? id : `ACo-${id}`,
    public_identifier: id.replace(/^ACo-/, ''),
    display_name: id,
    specifics: {
      network_distance: relations.has(id.startsWith('ACo') ? id : `ACo-${id}`)
        ? 'FIRST_DEGREE'
        : 'SECOND_DEGREE',
      relation_request: [...invitations.values()].find(({ user }) => user.id === id) ?? null,
      notify_visit_token: `visit ${id}`,
    },
  })

  type Answer = [status: number, body: unknown]
  const problem = (status: number, type: string): Answer => [status, { object: 'Error', type, status }]
  const list = (data: unknown[]): Answer => [200, { data, next_cursor: null }]

  function core(method: string, [what = '', id = '']: string[], body: Json): Answer {
    if (what === 'auth' && id === 'link' && method === 'POST') {
      links.push(body)
      return [200, { object: 'AuthLink', link: `https://auth.unipile.test/${links.length}` }]
    }
    const account = what === 'accounts' ? accounts.get(id) : undefined
    if (!account) return problem(404, 'api/resource_not_found')
    if (method !== 'DELETE') return [200, { object: 'Account', user_id: 'me', metadata: {}, ...account }]
    accounts.delete(id)
    return [204, undefined]
  }

  function own(
    method: string,
    [first = '', second = '', third = '', fourth = '']: string[],
    body: Json,
  ): Answer {
    const route = `${method} ${first}`
    if (route === 'GET users' && second === 'me' && third === 'relations')
      return list([...relations.values()])
    if (second === 'me' && third === 'relation-requests') {
      if (method === 'GET') return list([...invitations.values()])
      if (fourth) return invitations.delete(fourth) ? [200, {}] : problem(404, 'provider/resource_not_found')
      const user = { id: String(body.user_id) }
      if (relations.has(user.id)) return problem(409, 'provider/conflict')
      const invitation = { id: `i${++made}`, type: 'sent', user }
      invitations.set(invitation.id, invitation)
      return [201, { object: 'RelationRequest', ...invitation }]
    }
    if (route === 'GET users' && third === '')
      return second.includes('nobody') ? problem(404, 'provider/resource_not_found') : [200, profile(second)]
    if (route === 'POST users') return [200, {}]
    if (route === 'POST posts' && second === '') {
      const post = { id: `p${++made}`, text: body.text, created_at: clock().toISOString() }
      posts.set(post.id, post)
      return [201, { ...post, share_url: `https://network.test/${post.id}` }]
    }
    if (first === 'posts' && method === 'DELETE')
      return posts.delete(second) ? [204, undefined] : problem(404, 'provider/resource_not_found')
    const inChats = first === 'inboxes' ? [third, fourth] : [first, second]
    if (method === 'POST' && inChats[0] === 'chats' && inChats[1] === 'send') {
      const person = String([body.users_ids].flat()[0])
      if (!relations.has(person)) return problem(422, 'provider/unprocessable_entity')
      const { id, chat_id } = say(person, String(body.text), true)
      return [200, { object: 'ChatStarted', chat_id, message_id: id }]
    }
    const rows = said.filter(({ chat_id }) => chat_id === second).toReversed()
    if (first === 'chats' && third === 'messages' && fourth === 'send')
      return [200, { object: 'MessageSent', message_id: say(second.slice(2), String(body.text), true).id }]
    if (first === 'chats' && third === 'messages') return list(rows)
    if (method === 'GET' && inChats[0] === 'chats') {
      const chats = new Map(said.map((row) => [row.chat_id, row.timestamp]))
      return list(
        [...chats].map(([id, last_message_timestamp]) => ({
          ...{ id, is_1to1: true, user_id: id.slice(2), last_message_timestamp },
        })),
      )
    }
    return problem(501, 'api/not_implemented')
  }

  function answer(request: IncomingMessage, body: Json): Answer {
    if (request.headers['x-api-key'] !== key) return problem(401, 'api/missing_authorization')
    const { pathname } = new URL(request.url ?? '', 'http://unipile.test')
    const [version, ...path] = pathname.split('/').filter(Boolean).map(decodeURIComponent)
    if (version !== 'v2') return problem(404, 'api/resource_not_found')
    const account = path[0]?.startsWith('acc_') ? path.shift() : null
    if (!account) return core(request.method ?? '', path, body)
    const known = accounts.get(account)
    if (!known) return problem(404, 'api/resource_not_found')
    if (known.status !== 'running') return problem(401, 'provider/invalid_authorization')
    return own(request.method ?? '', path, body)
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    accounts,
    invitations,
    relations,
    posts,
    said,
    /** What was asked for to begin sign-ins. */
    links,
    /** They accept, and from now on can be written to. */
    connects(person: string) {
      for (const [id, { user }] of invitations) if (user.id === person) invitations.delete(id)
      relations.set(person, { user: { id: person }, created_at: clock().toISOString() })
    },
    says: (person: string, text: string) => say(person, text, false),
    /** A request as its webhook endpoint gets it. */
    tell(account_id: string, type: string, payload: object, signedWith = secret): Request {
      const body = JSON.stringify({
        id: `evt_${++made}`,
        created_at: clock().toISOString(),
        account_id,
        type,
        payload,
      })
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
