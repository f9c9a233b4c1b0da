/** The networks on which an account can be connected; a driver may support fewer. */
export const SOCIAL_NETWORKS = ['linkedin', 'whatsapp', 'instagram', 'telegram', 'twitter'] as const
export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number]

/** The account as its provider knows it. */
export type SocialAccountRef = { provider_account_id: string; network: SocialNetwork }

export type SocialAccountState = {
  provider_account_id: string
  network: SocialNetwork
  /** `disconnected`: the network demands that the owner signs in again. */
  status: 'connected' | 'disconnected'
  /** The provider's reason, for people; null if all is well. */
  status_reason: string | null
  name: string
  /** The public name in profile addresses. */
  handle: string | null
  avatar_url: string | null
  /** The subscription, on which the caps of its actions depend: free, premium, sales_navigator, recruiter, … */
  kind: string
}

/** The account's relation to a person. */
export type SocialRelation = 'none' | 'invited' | 'connected'

export type SocialPerson = {
  /** The network's internal id, which actions use to name people. */
  provider_id: string
  handle: string | null
  name: string | null
  headline: string | null
  avatar_url: string | null
  relation: SocialRelation
  /** The id of a pending invitation, needed to withdraw it, if the provider returns one. */
  invitation_id: string | null
}

/** One action towards one person. Texts are plain and already rendered. */
export type SocialAction = { provider_id: string } & (
  | { action_type: 'message'; text: string; chat_id: string | null }
  | { action_type: 'inmail'; text: string; subject: string | null }
  /** `note` null: without a note. */
  | { action_type: 'connection_request'; note: string | null }
  | { action_type: 'withdraw_invitation'; invitation_id: string | null }
  | { action_type: 'visit_profile' | 'follow' | 'endorse' }
  /** The person's newest post; refused for good if there is none. */
  | { action_type: 'like_post' }
  | { action_type: 'comment_post'; text: string }
)

export type SocialRefusal = {
  /** The provider's own code, if it gave one. */
  code: string | null
  /** The provider's message, for people. */
  response: string
  /** Only a refusal that blames the recipient says anything about the lead. */
  blames: 'recipient' | 'sender' | 'message'
}

/** The outcome of one offer; the classes mean the same for every provider (see the mail port). */
export type SocialOutcome<Result> =
  | { outcome: 'accepted'; response: string; result: Result }
  | ({ outcome: 'refused_for_good' } & SocialRefusal)
  /** `retry_after_seconds`: when the provider says to try again, for example after a limit of the network. */
  | ({ outcome: 'refused_for_now'; retry_after_seconds: number | null } & SocialRefusal)
  /** Nothing was offered. `sender_rejected`: the account has to be connected again. */
  | { outcome: 'never_left'; response: string; sender_rejected: boolean }
  /** The connection ended after the offer: the action may or may not have been carried out. */
  | { outcome: 'unknown'; response: string }

/** The ids that an accepted action produced; null if it has no such id. */
export type SocialActionResult = {
  chat_id: string | null
  message_id: string | null
  invitation_id: string | null
}

export type SocialImage = { filename: string; content_type: string; bytes: Uint8Array }
export type PublishedPost = { provider_post_id: string; social_id: string | null; url: string | null }
/** Counts since publication; null if the network does not report them. */
export type SocialPostMetrics = {
  impressions: number | null
  reactions: number | null
  comments: number | null
  reposts: number | null
}

export type SocialMessage = {
  message_id: string
  chat_id: string
  direction: 'in' | 'out'
  /** The other person of the chat; null in groups and if the provider does not say. */
  provider_id: string | null
  sender_name: string | null
  text: string
  at: Date
}

export type SocialPage<Item> = { items: Item[]; next_cursor: string | null }

/** Events that a provider reports by itself. Each may come twice, late or never, so sweeps ask for the same facts. */
export type SocialEvent =
  /** `state`: the one given to authLink, if the event results from a link. */
  | { kind: 'account_connected'; provider_account_id: string; state: string | null }
  | {
      kind: 'account_status'
      provider_account_id: string
      status: 'connected' | 'disconnected'
      reason: string | null
    }
  | { kind: 'message'; provider_account_id: string; message: SocialMessage }
  | { kind: 'connection_accepted'; provider_account_id: string; provider_id: string }

export type AuthLinkRequest = {
  network: SocialNetwork
  /** Signed by us; sent only to the provider, which returns it with `account_connected`. */
  state: string
  /** The same for a provider that shows it to the browser: accepted only in a request signed by the provider. */
  shown_state: string
  /** Where the browser goes afterwards. */
  redirect_url: string
  /** Where the provider reports the new account. */
  notify_url: string
  expires_at: Date
  /** If set, this account is to be reconnected. */
  reconnect: string | null
}

/** Nothing was found, or the question could not be answered. Reading can always be repeated safely. */
export class SocialReadError extends Error {
  readonly reason: 'not_found' | 'account_gone' | 'rate_limited' | 'unavailable'
  readonly retry_after_seconds: number | null

  constructor(reason: SocialReadError['reason'], message: string, retry_after_seconds: number | null = null) {
    super(message)
    this.name = 'SocialReadError'
    this.reason = reason
    this.retry_after_seconds = retry_after_seconds
  }
}

/**
 * One driver per provider of social networks. Methods that act make one offer, never throw for failures of the provider, and
 * return an outcome; methods that read throw SocialReadError.
 */
export interface SocialProvider {
  readonly name: 'unipile' | 'sandbox'
  authLink(request: AuthLinkRequest): Promise<{ url: string }>
  account(provider_account_id: string): Promise<SocialAccountState>
  /** Removes the account at the provider; succeeds if it is already gone. */
  disconnect(account: SocialAccountRef): Promise<void>
  /** `identifier`: a public handle, a profile address, or a provider_id. */
  person(account: SocialAccountRef, identifier: string): Promise<SocialPerson>
  /** `reference`: the ledger's id of this offer, for providers that accept one and for the sandbox. */
  act(
    account: SocialAccountRef,
    action: SocialAction,
    reference: string,
  ): Promise<SocialOutcome<SocialActionResult>>
  publish(
    account: SocialAccountRef,
    post: { text: string; image: SocialImage | null },
    reference: string,
  ): Promise<SocialOutcome<PublishedPost>>
  deletePost(account: SocialAccountRef, provider_post_id: string): Promise<SocialOutcome<null>>
  /** The account's newest posts, used to settle an uncertain publication. */
  recentPosts(account: SocialAccountRef): Promise<(PublishedPost & { text: string; at: Date })[]>
  postMetrics(account: SocialAccountRef, provider_post_id: string): Promise<SocialPostMetrics>
  /** Messages of all chats of the account since `since`, oldest first. */
  messages(account: SocialAccountRef, since: Date, cursor: string | null): Promise<SocialPage<SocialMessage>>
  /** People who recently became connected, newest first. */
  connections(
    account: SocialAccountRef,
    cursor: string | null,
  ): Promise<SocialPage<{ provider_id: string; at: Date | null }>>
  /** The events in a request of the provider; null if the signature is invalid. */
  events(headers: Headers, body: string): SocialEvent[] | null
}
