import type { Pool, PoolClient } from 'pg'
import { unsealOrNull } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import type { SenderCause } from '#lib/domain/sending/sender-failures'
import type { MailApi } from '#lib/providers/mail/port'
import type {
  Granted,
  GrantFault,
  GrantRefusal,
  MailRoute,
  MailVendor,
  OrganizationKey,
  TokenSource,
} from '#lib/providers/mail-oauth/port'
import {
  findOrganization,
  type OrganizationRow,
  openKey,
} from '#lib/services/senders/grants/organizations/driver'
import {
  noteOrganizationFault,
  noteOrganizationWorks,
} from '#lib/services/senders/grants/organizations/outages'
import { sealToken } from '#lib/services/senders/grants/sealed-token'
import { mailOAuth } from '#lib/services/senders/grants/vendors'
import { noteOutage } from '#lib/services/senders/sender-failures'

/** How long before its expiry a token is renewed: longer than any message takes. */
const AHEAD_MS = 5 * 60_000

export type Token =
  | {
      ok: true
      access_token: string
      good_until: number
      api: MailApi | null
      /** The user whose mailbox the token is for, if the token does not say so. */
      api_user: string | null
    }
  | { ok: false; cause: SenderCause; said: string }

const CAUSES: Record<GrantFault, SenderCause> = {
  ended: 'signed_out',
  declined: 'signed_out',
  admin: 'needs_admin',
  client: 'misconfigured',
  unreachable: 'unreachable',
}

type Row = {
  vendor: MailVendor
  route: MailRoute
  client_id: string
  /** The organization whose key renews the token; null: the refresh token does. */
  organization_id: string | null
  subject: string
  refresh_token: string | null
  access_token: string | null
  access_expires_at: Date | null
  ended_cause: SenderCause | null
  ended_said: string | null
  is_failing: boolean
}

/** The same for an organization's key, where nobody signs in. */
const ORGANIZATION_CAUSES: Record<GrantFault, SenderCause> = {
  ...CAUSES,
  ended: 'sign_in',
  declined: 'needs_admin',
}

const READ = `SELECT vendor, route, client_id, organization_id, subject, refresh_token, access_token, access_expires_at, ended_cause, ended_said,
    (SELECT status = 'failing' FROM mailboxes m WHERE m.mailbox_id = g.mailbox_id) AS is_failing
  FROM mailbox_grants g WHERE mailbox_id = $1`

/** The source of new tokens: this instance's client at a vendor, or the key of an organization there. */
export type Vendors = (vendor: MailVendor, key?: OrganizationKey) => TokenSource | null

const findSource: Vendors = (vendor, key) => (key ? findOrganization(key) : mailOAuth(vendor))

type Asking = {
  pool: Pool
  now: Date
  /** A token that the server has just refused: any other token is considered valid. */
  refused?: string | undefined
  /** Default: the vendors configured in the environment. */
  vendors?: Vendors | undefined
}

/**
 * The access token for a mailbox's server. If several workers find it expired, one renews it under a lock on its row, and the others read
 * the result. A new refresh token from the vendor is stored in the same transaction.
 */
export async function accessToken(mailboxId: string, asking: Asking): Promise<Token> {
  const { rows } = await asking.pool.query<Row>(READ, [mailboxId])
  const known = rows[0] && kept(mailboxId, rows[0], asking)
  // The worker that found the outage may have died before it reported it.
  if (known && !known.ok && !rows[0]?.is_failing) await noteOutage(asking.pool, mailboxId, known, asking.now)
  if (known) return known
  const renewed = await inTransaction(asking.pool, (client) => renew(client, mailboxId, asking))
  const { token, ended, fault, works } = renewed
  if (fault) await noteOrganizationFault(asking.pool, fault, asking.now)
  if (works) await noteOrganizationWorks(asking.pool, works, asking.now)
  // Reported at once, whatever the token was for, rather than when the mailbox next has to send.
  if (ended && !token.ok) await noteOutage(asking.pool, mailboxId, token, asking.now)
  return token
}

/** The token or failure known without asking the vendor; null if the vendor must be asked. */
function kept(mailboxId: string, row: Row, { now, refused }: Asking): Token | null {
  // For an organization the vendor is asked again, since access is repaired there and not by signing in here.
  if (row.ended_cause && !row.organization_id)
    return { ok: false, cause: row.ended_cause, said: row.ended_said ?? '' }
  const good_until = (row.access_expires_at?.getTime() ?? 0) - AHEAD_MS
  if (!row.access_token || good_until <= now.getTime()) return null
  const access_token = unsealOrNull(row.access_token, mailboxId)
  return access_token === null || access_token === refused ? null : toToken(row, access_token, good_until)
}

function toToken(row: Row, access_token: string, good_until: number): Token {
  const api = toApi(row)
  const api_user = row.organization_id && api === 'graph' ? row.subject : null
  return { ok: true, access_token, good_until, api, api_user }
}

/** The API that the token is for; null: SMTP and IMAP. */
const toApi = ({ vendor, route }: Pick<Row, 'vendor' | 'route'>): MailApi | null => {
  if (route === 'smtp') return null
  return vendor === 'google' ? 'gmail' : 'graph'
}

type Renewed = {
  token: Token
  ended?: true
  /** A fault that affects all mailboxes of the organization. */
  fault?: { organization_id: string; address: string; cause: SenderCause; said: string }
  /** The organization, if it issues tokens again. */
  works?: string
}

async function renew(client: PoolClient, mailboxId: string, asking: Asking): Promise<Renewed> {
  const { rows } = await client.query<Row>(`${READ} FOR UPDATE`, [mailboxId])
  const [row] = rows
  if (!row) return { token: failed('signed_out', 'It is not signed in.') }
  const known = kept(mailboxId, row, asking)
  if (known) return { token: known }
  if (row.organization_id)
    return renewByKey(client, mailboxId, { ...row, organization_id: row.organization_id }, asking)
  const vendor = (asking.vendors ?? findSource)(row.vendor)
  if (!vendor)
    return { token: failed('misconfigured', 'This instance no longer has an OAuth client for it.') }
  if (vendor.client_id !== row.client_id)
    return end(
      client,
      mailboxId,
      'signed_out',
      'This instance’s OAuth client has changed. Reconnect it.',
      asking,
    )
  const refreshToken = row.refresh_token && unsealOrNull(row.refresh_token, mailboxId)
  if (!refreshToken)
    return { token: failed('misconfigured', 'Its token cannot be decrypted. Was ENCRYPTION_KEY changed?') }
  const answer = await vendor.refresh(refreshToken)
  if (!answer.ok) return refusedBy(client, mailboxId, answer, asking)
  await saveTokens(client, mailboxId, answer, asking.now)
  const good_until = answer.expires_at.getTime() - AHEAD_MS
  return { token: toToken(row, answer.access_token, good_until) }
}

const KEY = `SELECT organization_id, vendor, client_id, account, key_id, tenant_id, secret, failing_since
  FROM mail_organizations WHERE organization_id = $1`

/**
 * Renews a token by the key of its organization, which is always tried again. A fault of the key is recorded for the organization, not for
 * the mailbox that met it first.
 */
async function renewByKey(
  client: PoolClient,
  mailboxId: string,
  row: Row & { organization_id: string },
  asking: Asking,
): Promise<Renewed> {
  const { organization_id, subject: address } = row
  const { rows } = await client.query<OrganizationRow & { failing_since: Date | null }>(KEY, [
    organization_id,
  ])
  const key = rows[0] && openKey(rows[0])
  const source = key && (asking.vendors ?? findSource)(row.vendor, key)
  if (!source)
    return {
      token: failed(
        'misconfigured',
        'Its organization’s key cannot be decrypted. Was ENCRYPTION_KEY changed?',
      ),
    }
  const answer = await source.refresh(address)
  if (answer.ok) {
    await saveTokens(client, mailboxId, answer, asking.now)
    const good_until = answer.expires_at.getTime() - AHEAD_MS
    const token = toToken(row, answer.access_token, good_until)
    return { token, ...(rows[0]?.failing_since && { works: organization_id }) }
  }
  const cause = ORGANIZATION_CAUSES[answer.fault]
  const token = failed(cause, answer.said)
  const isShared = answer.fault === 'client' || answer.fault === 'admin'
  return { token, ...(isShared && { fault: { organization_id, address, cause, said: answer.said } }) }
}

const failed = (cause: SenderCause, said: string): Token => ({ ok: false, cause, said })

/** Stores only a fault that needs a person. If the vendor is unreachable or refuses the client, it is asked again next time. */
async function refusedBy(
  client: PoolClient,
  mailboxId: string,
  { fault, said }: GrantRefusal,
  asking: Asking,
) {
  const cause = CAUSES[fault]
  const isFinal = cause === 'signed_out' || cause === 'needs_admin'
  return isFinal ? end(client, mailboxId, cause, said, asking) : { token: failed(cause, said) }
}

async function end(
  client: PoolClient,
  mailboxId: string,
  cause: SenderCause,
  said: string,
  { now }: Asking,
): Promise<Renewed> {
  await client.query(
    'UPDATE mailbox_grants SET ended_cause = $2, ended_said = $3, ended_at = $4 WHERE mailbox_id = $1',
    [mailboxId, cause, said, now],
  )
  return { token: failed(cause, said), ended: true }
}

/** Google usually returns no new refresh token: then the old one stays valid. */
async function saveTokens(client: PoolClient, mailboxId: string, granted: Granted, now: Date): Promise<void> {
  const refreshToken = granted.refresh_token && sealToken(mailboxId, granted.refresh_token)
  await client.query(
    `UPDATE mailbox_grants SET access_token = $2, access_expires_at = $3, refresh_token = coalesce($4, refresh_token),
       refreshed_at = $5 WHERE mailbox_id = $1`,
    [mailboxId, sealToken(mailboxId, granted.access_token), granted.expires_at, refreshToken, now],
  )
}
