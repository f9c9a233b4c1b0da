/** Vendors that grant access to mailboxes. `sandbox` is this instance itself, which grants access to its own sandbox only. */
export const MAIL_VENDORS = ['google', 'microsoft', 'sandbox'] as const
export type MailVendor = (typeof MAIL_VENDORS)[number]

/** How mail travels: over SMTP and IMAP, or over the vendor's own API. */
export const MAIL_ROUTES = ['smtp', 'api'] as const
export type MailRoute = (typeof MAIL_ROUTES)[number]

type MailServer = { host: string; port: number; security: 'none' | 'starttls' | 'tls' }
export type MailServers = { smtp: MailServer; imap: MailServer | null }

/** What a vendor granted. Without a new `refresh_token` the previous one stays valid. */
export type Granted = {
  access_token: string
  expires_at: Date
  refresh_token: string | null
  /** Null if the vendor did not say: the scopes that were requested. */
  scopes: string[] | null
}

/** Who signed in. `subject` stays the same when the address changes. */
export type GrantedAccount = { subject: string; address: string; name: string | null }

/**
 * Why nothing was granted. `ended`: the owner has to sign in again; `admin`: an administrator of theirs has to allow it;
 * `client`: the vendor refuses this instance; `declined`: the owner refused; `unreachable`: the vendor did not answer, or cannot
 * now.
 */
export type GrantFault = 'ended' | 'admin' | 'client' | 'declined' | 'unreachable'
export type GrantRefusal = { ok: false; fault: GrantFault; said: string }

export type Authorizing = {
  state: string
  nonce: string
  code_verifier: string
  redirect_uri: string
  /** The account that the sign-in page preselects. */
  login_hint: string | null
}

/** Returns access tokens for a grant: for a refresh token, or for the address of a mailbox in an organization. */
export interface TokenSource {
  client_id: string
  refresh(granted: string): Promise<({ ok: true } & Granted) | GrantRefusal>
}

export interface MailOAuth extends TokenSource {
  vendor: MailVendor
  route: MailRoute
  /** The scopes without which neither sending nor reading works. */
  needed_scopes: string[]
  servers: MailServers | null
  /** The page on which a person signs in and grants access. */
  authorizeUrl(asked: Authorizing): Promise<string>
  /** Exchanges the code in `callback`, the URL that the browser came back to, for a grant. */
  exchange(
    callback: URL,
    asked: Pick<Authorizing, 'state' | 'nonce' | 'code_verifier'>,
  ): Promise<({ ok: true; account: GrantedAccount } & Granted) | GrantRefusal>
  /** Whether the vendor supports revocation and accepted it. */
  revoke(refreshToken: string): Promise<boolean>
}

/** The credential by which an organization lets this instance use its mailboxes, without anybody signing in. */
export type OrganizationKey =
  | { vendor: 'google'; account: string; key_id: string | null; private_key: string }
  | { vendor: 'microsoft'; tenant_id: string; client_id: string; client_secret: string }
  | { vendor: 'sandbox' }

/**
 * Its faults: `client`: the key is refused, so no mailbox of the organization can be used; `admin`: the organization does not
 * allow the scopes, or not for this mailbox; `ended`: the mailbox does not exist or is not in use.
 */
export interface OrganizationOAuth extends TokenSource {
  /** The scopes that the organization's administrator has to allow. */
  needed_scopes: readonly string[]
  /** Whether the key alone is accepted. */
  check(): Promise<{ ok: true } | GrantRefusal>
}
