/** Who grants access to mailboxes. `sandbox` is this instance itself, which grants access to its sandbox alone. */
export const MAIL_VENDORS = ['google', 'microsoft', 'sandbox'] as const
export type MailVendor = (typeof MAIL_VENDORS)[number]

/** By which way mail goes: over SMTP and IMAP, or over the vendor's own API. */
export const MAIL_ROUTES = ['smtp', 'api'] as const
export type MailRoute = (typeof MAIL_ROUTES)[number]

type MailServer = { host: string; port: number; security: 'none' | 'starttls' | 'tls' }
export type MailServers = { smtp: MailServer; imap: MailServer | null }

/** What a vendor granted. Without a new `refresh_token` the one before it stays good. */
export type Granted = {
  access_token: string
  expires_at: Date
  refresh_token: string | null
  /** Null where it did not say: what was asked for. */
  scopes: string[] | null
}

/** Who signed in: `subject` stays when an address changes. */
export type GrantedAccount = { subject: string; address: string; name: string | null }

/**
 * Why nothing was granted. `ended`: whoever granted it has to sign in again; `admin`: an administrator of theirs has to allow
 * it; `client`: the vendor refuses this instance; `declined`: they said no; `unreachable`: the vendor did not answer, or not now.
 */
export type GrantFault = 'ended' | 'admin' | 'client' | 'declined' | 'unreachable'
export type GrantRefusal = { ok: false; fault: GrantFault; said: string }

export type Authorizing = {
  state: string
  nonce: string
  code_verifier: string
  redirect_uri: string
  /** Whose sign-in is offered first. */
  login_hint: string | null
}

/** What gives tokens for what was granted: a refresh token, or the address of a mailbox of a whole organization. */
export interface TokenSource {
  client_id: string
  refresh(granted: string): Promise<({ ok: true } & Granted) | GrantRefusal>
}

export interface MailOAuth extends TokenSource {
  vendor: MailVendor
  route: MailRoute
  /** Those without which neither sending nor reading works. */
  needed_scopes: string[]
  servers: MailServers | null
  /** Where a person signs in and allows it. */
  authorizeUrl(asked: Authorizing): Promise<string>
  /** What the vendor grants for the code in `callback`, the address that the browser came back to. */
  exchange(
    callback: URL,
    asked: Pick<Authorizing, 'state' | 'nonce' | 'code_verifier'>,
  ): Promise<({ ok: true; account: GrantedAccount } & Granted) | GrantRefusal>
  /** Answers whether the vendor has a call for it, and took it. */
  revoke(refreshToken: string): Promise<boolean>
}

/** By what an organization lets this instance use its mailboxes, without anybody who signs in. */
export type OrganizationKey =
  | { vendor: 'google'; account: string; key_id: string | null; private_key: string }
  | { vendor: 'microsoft'; tenant_id: string; client_id: string; client_secret: string }
  | { vendor: 'sandbox' }

/**
 * Its faults: `client`: the key is refused, so no mailbox of it can be used; `admin`: it does not allow what is asked for, or
 * not there; `ended`: there is no such mailbox, or none that is used.
 */
export interface OrganizationOAuth extends TokenSource {
  /** Those that its administrator has to allow. */
  needed_scopes: readonly string[]
  /** Whether the key alone is taken. */
  check(): Promise<{ ok: true } | GrantRefusal>
}
