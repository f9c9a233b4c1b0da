import { type ApiAnswer, type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'

/** An app-only token has no `me`, so it names the mailbox. */
const root = (user: string | null) => (user ? `/v1.0/users/${encodeURIComponent(user)}` : '/v1.0/me')
/** With this, a message keeps its id when it moves, also from Drafts to Sent. */
const IMMUTABLE = 'IdType="ImmutableId"'

export type AskGraph = (call: ApiCall) => Promise<ApiAnswer>

/** The token, and the mailbox if the token does not determine it. */
export type GraphMailbox = { access_token?: string | null; api_user?: string | null }

/** Calls for one mailbox; without a path, the user itself. A whole URL, as in pages of changes, is used as it is. */
export const graphAsker =
  (options: MailApiOptions, { access_token, api_user = null }: GraphMailbox): AskGraph =>
  (call) =>
    askApi(options, access_token ?? '', {
      ...call,
      path: call.path === '' || call.path.startsWith('/') ? `${root(api_user)}${call.path}` : call.path,
      headers: { prefer: IMMUTABLE, ...call.headers },
    })

/** Our property of a message, which survives when Exchange replaces our Message-ID by its own. */
export const REF_PROPERTY = 'String {6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10} Name MessageRef'
