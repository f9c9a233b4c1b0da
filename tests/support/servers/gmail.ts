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
  threadId: string
  labelIds: string[]
  internalDate: number
  raw: string
  historyId: number
}
/** An entry of `users.settings.sendAs`. */
export type SendAs = { sendAsEmail: string; isPrimary?: boolean; verificationStatus?: string }
type Options = MailApiServerOptions & {
  clock?: () => Date
  /** Google replaces our Message-ID by its own. */
  rewrites?: boolean
  page?: number
  /** Origin of resumable upload addresses, where it differs from the server's own. */
  uploadOrigin?: string
}

const ROOT = '/gmail/v1/users/me'
export const gmailError = (code: number, reason: string, message: string = reason, status?: string) => ({
  status: code,
  body: {
    error: { code, message, errors: [{ domain: 'global', reason, message }], ...(status && { status }) },
  },
})
const GONE = gmailError(404, 'notFound', 'Requested entity was not found.')

/** The Gmail API of one mailbox, in memory: drafts, sending, threads, listing, history and its expiry. */
export async function aGmailServer(options: Options = {}) {
  const { clock = () => new Date(), rewrites = true, page = 500, uploadOrigin } = options
  const drafts = new Map<string, { raw: string; threadId: string }>()
  const kept: Kept[] = []
  let made = 0x190a0000000
  let history = 1000
  let forgotten = 0
  const nextId = () => {
    made += 1
    return made.toString(16)
  }

  const keep = (raw: string, labelIds: string[], threadId = nextId(), at = clock()) => {
    history += 10
    const one = { id: nextId(), threadId, labelIds, internalDate: at.getTime(), raw, historyId: history }
    kept.push(one)
    return one
  }
  const decode = (raw: string) => Buffer.from(raw, 'base64url').toString('latin1')
  const idOf = (raw: string) => readField(raw, 'Message-ID')

  function makeDraft(raw: string, threadId: string | undefined): Reply {
    if (threadId && !kept.some((one) => one.threadId === threadId)) return GONE
    const id = `r-${nextId()}`
    drafts.set(id, { raw, threadId: threadId ?? nextId() })
    return { status: 200, body: { id, message: { id: nextId(), threadId } } }
  }

  const sendAs: SendAs[] = []
  /** For a From address that its owner has not confirmed, Google silently sends from the account's own address. */
  function withOwnFrom(raw: string): string {
    const from = /[^\s<>]+@[^\s<>]+/.exec(readField(raw, 'From') ?? '')?.[0] ?? ''
    const primary = sendAs.find(({ isPrimary }) => isPrimary)?.sendAsEmail
    const isUsable = sendAs.some(
      ({ sendAsEmail, verificationStatus = 'accepted' }) =>
        sendAsEmail === from && verificationStatus === 'accepted',
    )
    return primary === undefined || isUsable ? raw : raw.replace(from, primary)
  }

  const uploads = createUploads()
  const begun = new Map<string, string | undefined>()

  function upload(asked: Asked): Reply {
    const { method, path, query, headers, body } = asked
    if (method === 'POST') {
      const id = uploads.begin(Number(headers['x-upload-content-length']))
      begun.set(id, JSON.parse(body).message?.threadId)
      const location = `${uploadOrigin ?? server.origin}${path}?uploadType=resumable&upload_id=${id}`
      return { status: 200, headers: { location } }
    }
    const id = query.get('upload_id') ?? ''
    const put = uploads.put(id, asked)
    if (!put) return { status: 404 }
    if (put.whole) return makeDraft(put.whole.toString('latin1'), begun.get(id))
    return { status: 308, headers: { range: `bytes=0-${put.next - 1}` } }
  }

  function sendDraft(body: string): Reply {
    const { id } = JSON.parse(body)
    const draft = drafts.get(id)
    if (!draft) return GONE
    drafts.delete(id)
    const own = `Message-ID: <CA+${nextId()}@mail.gmail.com>`
    const given = withOwnFrom(draft.raw)
    const raw = rewrites ? given.replace(/^Message-ID:.*$/im, own) : given
    const { id: sent, threadId } = keep(raw, ['SENT'], draft.threadId)
    return { status: 200, body: { id: sent, threadId, labelIds: ['SENT'] } }
  }

  function list(query: URLSearchParams): Reply {
    const q = query.get('q') ?? ''
    const after = Number(/after:(\d+)/.exec(q)?.[1] ?? 0) * 1_000
    const named = /rfc822msgid:(\S+)/.exec(q)?.[1]
    const to = /\bto:(\S+)/.exec(q)?.[1]
    const found = kept.filter(({ raw, labelIds, internalDate }) => {
      const isSent = labelIds.includes('SENT')
      if (/(^| )in:sent/.test(q) && !isSent) return false
      if (q.includes('-in:sent') && isSent) return false
      if (named && idOf(raw) !== `<${named}>`) return false
      if (to && !readField(raw, 'To')?.includes(to)) return false
      return internalDate >= after
    })
    const newest = found.reverse()
    const from = Number(query.get('pageToken') ?? 0)
    const messages = newest.slice(from, from + page).map(({ id, threadId }) => ({ id, threadId }))
    const isMore = from + page < newest.length
    return { status: 200, body: { messages, ...(isMore && { nextPageToken: String(from + page) }) } }
  }

  function changes(query: URLSearchParams): Reply {
    const start = Number(query.get('startHistoryId'))
    if (start < forgotten) return GONE
    const since = kept.filter(({ historyId }) => historyId > start)
    const from = Number(query.get('pageToken') ?? 0)
    const records = since.slice(from, from + page).map(({ id, labelIds, historyId }) => ({
      id: String(historyId),
      messagesAdded: [{ message: { id, labelIds } }],
    }))
    const isMore = from + page < since.length
    const nextPageToken = isMore ? String(from + page) : undefined
    return { status: 200, body: { history: records, historyId: String(history), nextPageToken } }
  }

  function readOne(id: string, query: URLSearchParams): Reply {
    const one = kept.find((each) => each.id === id)
    if (!one) return GONE
    if (query.get('format') === 'raw')
      return { status: 200, body: { raw: Buffer.from(one.raw, 'latin1').toString('base64url') } }
    if (query.get('format') === 'metadata') {
      const headers = query.getAll('metadataHeaders').flatMap((name) => {
        const value = readField(one.raw, name)
        return value ? [{ name, value }] : []
      })
      return { status: 200, body: { id, payload: { headers } } }
    }
    const { labelIds, internalDate, raw } = one
    return {
      status: 200,
      body: { id, labelIds, internalDate: String(internalDate), sizeEstimate: raw.length },
    }
  }

  const watched: { topic: string | null } = { topic: null }
  function beginWatch(body: string): Reply {
    watched.topic = JSON.parse(body).topicName
    const expiration = String(clock().getTime() + 7 * 24 * 60 * 60_000)
    return { status: 200, body: { historyId: String(history), expiration } }
  }

  const server = await createMailApiServer({
    ...options,
    stepOf: ({ method, path }) => {
      if (path.startsWith('/upload/')) return method === 'PUT' ? 'put' : 'begin'
      if (path === `${ROOT}/drafts/send`) return 'send'
      return method === 'POST' && path === `${ROOT}/drafts` ? 'draft' : 'read'
    },
    unauthorized: gmailError(401, 'authError', 'Invalid Credentials', 'UNAUTHENTICATED'),
    answer(asked) {
      const { method, path, query, body } = asked
      if (path.startsWith('/upload/')) return upload(asked)
      const [noun, id] = path.slice(ROOT.length + 1).split('/')
      if (noun === 'profile') return { status: 200, body: { historyId: String(history) } }
      if (noun === 'settings') return { status: 200, body: { sendAs } }
      if (noun === 'history') return changes(query)
      if (noun === 'watch') return beginWatch(body)
      if (noun === 'stop') {
        watched.topic = null
        return { status: 204 }
      }
      if (noun === 'messages') return id ? readOne(id, query) : list(query)
      if (method === 'DELETE') return drafts.delete(id ?? '') ? { status: 204 } : GONE
      if (id === 'send') return sendDraft(body)
      const { raw, threadId } = JSON.parse(body).message
      return makeDraft(decode(raw), threadId)
    },
  })
  return {
    ...server,
    drafts,
    /** The addresses that the account may send as; empty: the From address is not checked. */
    sendAs,
    /** The number of active push subscriptions. */
    told: () => (watched.topic ? 1 : 0),
    /** Sent mail, as the recipient gets it. */
    sent: () => kept.filter(({ labelIds }) => labelIds.includes('SENT')).map(({ raw }) => raw),
    threads: () => kept.map(({ threadId }) => threadId),
    /** Delivers a mail to the mailbox. */
    deliver: (raw: string, labelIds = ['INBOX'], at = clock()) => keep(raw, labelIds, undefined, at).id,
    remove: (id: string) =>
      void kept.splice(
        kept.findIndex((one) => one.id === id),
        1,
      ),
    forget: () => {
      forgotten = history + 1
      history += 10
    },
  }
}
