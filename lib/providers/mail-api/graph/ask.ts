import { type ApiAnswer, type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'

/** An app without a person has no `me`: it names the mailbox. */
const root = (user: string | null) => (user ? `/v1.0/users/${encodeURIComponent(user)}` : '/v1.0/me')
/** With it a message keeps its name where it moves, from Drafts to Sent too. */
const IMMUTABLE = 'IdType="ImmutableId"'

export type AskGraph = (call: ApiCall) => Promise<ApiAnswer>

/** With its token, and whose it is where the token does not say so. */
export type GraphMailbox = { access_token?: string | null; api_user?: string | null }

/** Of one mailbox; without a path it is the user. A whole address, which pages of changes name, is taken as it is. */
export const graphAsker =
  (options: MailApiOptions, { access_token, api_user = null }: GraphMailbox): AskGraph =>
  (call) =>
    askApi(options, access_token ?? '', {
      ...call,
      path: call.path === '' || call.path.startsWith('/') ? `${root(api_user)}${call.path}` : call.path,
      headers: { prefer: IMMUTABLE, ...call.headers },
    })

/** Ours of a message, where Exchange puts a Message-ID of its own in the place of ours. */
export const REF_PROPERTY = 'String {6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10} Name MessageRef'
