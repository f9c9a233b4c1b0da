import { randomUUID } from 'node:crypto'
import {
  type Asked,
  createMailApiServer,
  createUploads,
  type MailApiServerOptions,
  type Reply,
  readField,
} from '#tests/support/servers/mail-api'

type Kept = {
  id: string
  folder: 'drafts' | 'sentitems' | 'inbox' | 'junkemail'
  receivedDateTime: string
  internetMessageId: string
  raw: string
  properties: Map<string, string>
  files: { name: string; content: Buffer }[]
}
type Options = MailApiServerOptions & {
  clock?: () => Date
  /** Exchange may replace our Message-ID by its own. */
  rewrites?: boolean
  page?: number
  /** Origin of upload session addresses: Exchange uses another host than Graph. */
  uploadOrigin?: string
  /** The mailbox address, where the token is an app's. */
  user?: string
}

/** `/me` for a signed-in user; `/users/<address>` for an app-only token. */
const ROOT = /^\/v1\.0\/(?:me|users\/([^/]+))/
export const graphError = (
  status: number,
  code: string,
  message = code,
  headers?: Record<string, string>,
) => ({
  status,
  body: { error: { code, message, innerError: { 'request-id': 'r' } } },
  ...(headers && { headers }),
})
const GONE = graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')

const peopleIn = ({ raw }: Kept, field: string) =>
  (readField(raw, field)?.match(/[^\s<>,]+@[^\s<>,]+/g) ?? []).map((address) => ({
    emailAddress: { address },
  }))

/** Headers are exposed as extended properties only, and their ids in Graph's own spelling. */
const propertiesOf = ({ raw, properties }: Kept) => [
  ...[...properties].map(([id, value]) => ({ id: id.toUpperCase().replace('STRING', 'String'), value })),
  ...Object.entries({ 'String 0x1042': 'In-Reply-To', 'String 0x1039': 'References' }).flatMap(
    ([id, name]) => {
      const value = readField(raw, name)
      return value ? [{ id, value }] : []
    },
  ),
]

/** Microsoft Graph's mail API of one mailbox, in memory: drafts from MIME, properties, sending, delta pages and their expiry. */
export async function aGraphServer(options: Options = {}) {
  const { clock = () => new Date(), rewrites = true, page = 500, uploadOrigin, user } = options
  const kept: Kept[] = []
  /** Of the user; null: the app has no permission to read it. */
  const profile: { proxyAddresses: string[] | null } = { proxyAddresses: null }
  let made = 0
  let forgotten = 0
  const keep = (raw: string, folder: Kept['folder'], at = clock()) => {
    made += 1
    const internetMessageId = readField(raw, 'Message-ID') ?? ''
    const receivedDateTime = at.toISOString()
    const one: Kept = {
      id: `AAMk+${made}=`,
      folder,
      receivedDateTime,
      internetMessageId,
      raw,
      properties: new Map(),
      files: [],
    }
    kept.push(one)
    return one
  }

  function send(one: Kept): Reply {
    if (one.folder !== 'drafts') return GONE
    one.folder = 'sentitems'
    // The message moves into its new folder now, after what was there.
    kept.push(...kept.splice(kept.indexOf(one), 1))
    if (rewrites) {
      one.internetMessageId = `<DB7PR${made}@eurprd01.prod.outlook.com>`
      one.raw = one.raw.replace(/^Message-ID:.*$/im, `Message-ID: ${one.internetMessageId}`)
    }
    return { status: 202 }
  }

  function changes(folder: string, query: URLSearchParams): Reply {
    const token = query.get('$deltatoken') ?? query.get('$skiptoken')
    const begins = Date.parse(/ge (\S+)$/.exec(query.get('$filter') ?? '')?.[1] ?? '') || 0
    const [era = 0, since = 0, from = 0] = token?.split('.').map(Number) ?? [forgotten, begins, 0]
    if (era < forgotten) return graphError(410, 'syncStateNotFound')
    const mine = kept.filter((one) => one.folder === folder && Date.parse(one.receivedDateTime) >= since)
    const value = mine.slice(from, from + page).map(({ id, receivedDateTime }) => ({ id, receivedDateTime }))
    const end = from + value.length
    const link = (name: string) =>
      `${server.origin}/v1.0/${user ? `users/${user}` : 'me'}/mailFolders/${folder}/messages/delta?${name}=${forgotten}.${since}.${end}`
    const next = end < mine.length
    const links = next
      ? { '@odata.nextLink': link('$skiptoken') }
      : { '@odata.deltaLink': link('$deltatoken') }
    return { status: 200, body: { value, ...links } }
  }

  function list(query: URLSearchParams): Reply {
    const filter = query.get('$filter') ?? ''
    const wanted = /(?:ep\/value|internetMessageId) eq '((?:[^']|'')*)'/
      .exec(filter)?.[1]
      ?.replaceAll("''", "'")
    const property = /ep\/id eq '([^']*)'/.exec(filter)?.[1]
    const value = kept.filter(
      (one) =>
        one.folder !== 'drafts' &&
        (property ? one.properties.get(property) : one.internetMessageId) === wanted,
    )
    return {
      status: 200,
      body: { value: value.map(({ id, internetMessageId }) => ({ id, internetMessageId })) },
    }
  }

  const uploads = createUploads()
  const begun = new Map<string, { one: Kept; name: string }>()

  function attach(one: Kept, isSession: boolean, body: string): Reply {
    if (!isSession) {
      const { name, contentBytes } = JSON.parse(body)
      one.files.push({ name, content: Buffer.from(contentBytes, 'base64') })
      return { status: 201, body: { name } }
    }
    const { name, size } = JSON.parse(body).AttachmentItem
    const id = uploads.begin(size)
    begun.set(id, { one, name })
    const uploadUrl = `${uploadOrigin ?? server.origin}/api/AttachmentSessions/${id}?authtoken=upload-secret`
    return { status: 201, body: { uploadUrl, nextExpectedRanges: ['0-'] } }
  }

  function put(asked: Asked): Reply {
    const id = asked.path.split('/').at(-1) ?? ''
    const { one, name } = begun.get(id) ?? {}
    const taken = uploads.put(id, asked)
    if (!taken || !one || !kept.includes(one)) return GONE
    if (!taken.whole) return { status: 200, body: { nextExpectedRanges: [`${taken.next}`] } }
    one.files.push({ name: name ?? '', content: taken.whole })
    return { status: 201, headers: { location: `${asked.path}/done` } }
  }

  function message(id: string, verb: string | undefined, { method, body, query }: Asked): Reply {
    const one = kept.find((each) => each.id === id)
    if (!one) return GONE
    if (verb === 'send') return send(one)
    // Blind-copy recipients appear among the recipients only, not in the MIME content.
    const given = one.raw.replace(/^Bcc:.*\r\n/im, '')
    if (verb === '$value') return { status: 200, body: Buffer.from(given, 'latin1') }
    if (method === 'DELETE') {
      kept.splice(kept.indexOf(one), 1)
      return { status: 204 }
    }
    if (method === 'PATCH')
      for (const { id: name, value } of JSON.parse(body).singleValueExtendedProperties)
        one.properties.set(name, value)
    const { internetMessageId, folder } = one
    const isDraft = folder === 'drafts'
    const people = { toRecipients: peopleIn(one, 'To'), ccRecipients: peopleIn(one, 'Cc') }
    const whole = { ...people, bccRecipients: peopleIn(one, 'Bcc'), from: peopleIn(one, 'From')[0] }
    const expanded = query.has('$expand') && { singleValueExtendedProperties: propertiesOf(one) }
    return { status: 200, body: { id, internetMessageId, isDraft, ...whole, ...expanded } }
  }

  const subscriptions = new Map<
    string,
    { resource: string; clientState: string; expirationDateTime: string }
  >()
  function subscribe({ method, path, body }: Asked): Reply {
    const id = path.split('/')[3] ?? `sub-${randomUUID()}`
    const known = subscriptions.get(id)
    if (method !== 'POST' && !known) return graphError(404, 'ResourceNotFound', 'The object was not found.')
    if (method === 'DELETE') {
      subscriptions.delete(id)
      return { status: 204 }
    }
    const one = { ...known, ...JSON.parse(body) }
    if (Date.parse(one.expirationDateTime) - clock().getTime() > 4_230 * 60_000)
      return graphError(
        400,
        'ExtensionError',
        'Subscription expiration can only be 4230 minutes in the future.',
      )
    if (one.clientState.length > 128) return graphError(400, 'InvalidRequest', 'clientState is too long.')
    subscriptions.set(id, one)
    return { status: method === 'POST' ? 201 : 200, body: { id, ...one } }
  }

  const server = await createMailApiServer({
    ...options,
    stepOf({ method, path }) {
      if (method === 'PATCH') return 'tag'
      if (method === 'PUT') return 'put'
      if (path.endsWith('/createUploadSession')) return 'begin'
      if (path.endsWith('/attachments')) return 'attach'
      if (method !== 'POST') return 'read'
      return path.endsWith('/send') ? 'send' : 'draft'
    },
    unauthorized: graphError(
      401,
      'InvalidAuthenticationToken',
      'Access token has expired or is not yet valid.',
    ),
    answer(asked) {
      const { method, path, query, body } = asked
      if (method === 'PUT') return put(asked)
      if (path.startsWith('/v1.0/subscriptions')) return subscribe(asked)
      const [root, named] = ROOT.exec(path) ?? ['']
      if (user && !named)
        return graphError(400, 'BadRequest', '/me request is only valid with delegated authentication flow.')
      if (user && decodeURIComponent(named ?? '') !== user)
        return graphError(404, 'ErrorInvalidUser', `The requested user '${named}' is invalid.`)
      if (path === root)
        return profile.proxyAddresses
          ? { status: 200, body: { proxyAddresses: profile.proxyAddresses } }
          : graphError(
              403,
              'Authorization_RequestDenied',
              'Insufficient privileges to complete the operation.',
            )
      const [noun, id = '', more, verb] = path
        .slice(root.length + 1)
        .split('/')
        .map(decodeURIComponent)
      if (noun === 'mailFolders')
        return verb === 'delta' ? changes(id, query) : { status: 200, body: { id: more ?? id } }
      if (more === 'attachments') {
        const one = kept.find((each) => each.id === id)
        return one ? attach(one, verb === 'createUploadSession', body) : GONE
      }
      if (id) return message(id, more, asked)
      if (method === 'GET') return list(query)
      const one = keep(Buffer.from(body, 'base64').toString('latin1'), 'drafts')
      return { status: 201, body: { id: one.id, internetMessageId: one.internetMessageId, isDraft: true } }
    },
  })
  return {
    ...server,
    profile,
    subscriptions,
    /** The number of active push subscriptions. */
    told: () => subscriptions.size,
    /** Drafts that are left over. */
    drafts: {
      get size() {
        return kept.filter(({ folder }) => folder === 'drafts').length
      },
    },
    sent: () => kept.filter(({ folder }) => folder === 'sentitems').map(({ raw }) => raw),
    /** The attachments of the mail that was sent last. */
    files: () => kept.findLast(({ folder }) => folder === 'sentitems')?.files ?? [],
    properties: () => kept.map(({ properties }) => Object.fromEntries(properties)),
    deliver: (raw: string, folder: 'inbox' | 'junkemail' | 'sentitems' = 'inbox', at = clock()) =>
      keep(raw, folder, at).id,
    remove: (id: string) =>
      void kept.splice(
        kept.findIndex((one) => one.id === id),
        1,
      ),
    forget: () => {
      forgotten += 1
    },
  }
}
