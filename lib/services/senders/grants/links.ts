import { createHash, createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import { MAIL_ROUTES, MAIL_VENDORS } from '#lib/providers/mail-oauth/port'

const LIFETIME_MS = 10 * 60_000
const STATE = 'g1'

const GrantLink = z.object({
  link_id: z.uuid(),
  workspace_id: z.uuid(),
  vendor: z.enum(MAIL_VENDORS),
  /** Links from before there were two routes use the first. */
  route: z.enum(MAIL_ROUTES).default('smtp'),
  /** The mailbox to reconnect; null: a new one. */
  mailbox_id: z.uuid().nullable(),
  /** The domain from whose page Google's Postmaster Tools are requested; null: the link is for a mailbox. */
  domain_id: z.uuid().nullable().default(null),
  /** A digest of the browser's session, because the vendor sees the state. */
  session: z.string(),
  expires_at: z.number(),
})
export type GrantLink = z.output<typeof GrantLink>

const digest = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url')

/** Derived from the link and secret to this instance, so that abandoned sign-ins leave nothing in the database. */
const derived = (purpose: 'pkce' | 'nonce', linkId: string) =>
  createHmac('sha256', keyFor(`mail-oauth-${purpose}`))
    .update(linkId)
    .digest('base64url')

export const deriveSecrets = ({ link_id }: GrantLink) => ({
  code_verifier: derived('pkce', link_id),
  nonce: derived('nonce', link_id),
})

type Asked = Pick<GrantLink, 'workspace_id' | 'vendor' | 'route' | 'mailbox_id'> & {
  session_id: string
  domain_id?: string
}

/** A link that one session may use once, within ten minutes. */
export function issueGrantLink({ session_id, domain_id, ...asked }: Asked, now: Date) {
  const link: GrantLink = {
    ...asked,
    domain_id: domain_id ?? null,
    link_id: randomUUID(),
    session: digest(session_id),
    expires_at: now.getTime() + LIFETIME_MS,
  }
  return { link, state: signedToken(STATE, Buffer.from(JSON.stringify(link)), keyFor('mail-oauth')) }
}

/** Null for a state that is not ours, belongs to another session, or has expired. */
function readLinkOfSession(state: string, session_id: string, now: Date): GrantLink | null {
  const payload = readSignedToken(STATE, state, keyFor('mail-oauth'))
  const link = payload && GrantLink.parse(JSON.parse(payload.toString('utf8')))
  if (!link || link.expires_at <= now.getTime()) return null
  return link.session === digest(session_id) ? link : null
}

/** The link of a state, if it also belongs to this workspace. */
export function readGrantLink(
  state: string,
  whose: { session_id: string; workspace_id: string },
  now: Date,
): GrantLink | null {
  const link = readLinkOfSession(state, whose.session_id, now)
  return link?.workspace_id === whose.workspace_id ? link : null
}

/** The workspace in which this browser began the sign-in, whatever its other tabs show now; null for a state of another session. */
export const workspaceOfLink = (state: string, session_id: string, now: Date): string | null =>
  readLinkOfSession(state, session_id, now)?.workspace_id ?? null

/** Uses a link up; false if it was used before. */
export async function spendGrantLink({ link_id, expires_at }: GrantLink): Promise<boolean> {
  const row = { grant_id: link_id, expires_at: new Date(expires_at) }
  const { count } = await db.usedGrant.createMany({ data: [row], skipDuplicates: true })
  return count === 1
}
