import { type ApiAnswer, type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'

const ROOT = '/v1.0/me'
/** With it a message keeps its name where it moves, from Drafts to Sent too. */
const IMMUTABLE = 'IdType="ImmutableId"'

export type AskGraph = (call: ApiCall) => Promise<ApiAnswer>

/** Of one mailbox. A whole address, which pages of changes name, is taken as it is. */
export const graphAsker =
  (options: MailApiOptions, token: string): AskGraph =>
  (call) =>
    askApi(options, token, {
      ...call,
      path: call.path.startsWith('/') ? `${ROOT}${call.path}` : call.path,
      headers: { prefer: IMMUTABLE, ...call.headers },
    })

/** Ours of a message, where Exchange puts a Message-ID of its own in the place of ours. */
export const REF_PROPERTY = 'String {6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10} Name MessageRef'
