import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import { SOCIAL_NETWORKS } from '#lib/providers/social/port'

const LIFETIME_MS = 15 * 60_000
/** A sign-in that began in time may end a little later, since entering passwords and codes takes time. */
const GRACE_MS = 15 * 60_000

/**
 * Prefixes of the tokens. `s1` is sent only to the provider and connects an account. `s2` does so only in a report signed by the provider,
 * since the provider shows it to the browser. `b1` passes through the browser and only leads it back.
 */
const STATE = 's1'
const SHOWN = 's2'
const TICKET = 'b1'

const AccountLink = z.object({
  link_id: z.uuid(),
  workspace_id: z.uuid(),
  network: z.enum(SOCIAL_NETWORKS),
  /** A path on this site. */
  return_path: z.string(),
  /** The account that is to be connected again. */
  account_id: z.uuid().nullable(),
  expires_at: z.number(),
})
export type AccountLink = z.output<typeof AccountLink>

const key = () => keyFor('account-link')

/** A link that connects one account within 15 minutes, and its tokens. */
export function issueLink(asked: Omit<AccountLink, 'link_id' | 'expires_at'>, now: Date) {
  const expires_at = new Date(now.getTime() + LIFETIME_MS)
  const link: AccountLink = { ...asked, link_id: randomUUID(), expires_at: expires_at.getTime() }
  const payload = Buffer.from(JSON.stringify(link))
  return {
    state: signedToken(STATE, payload, key()),
    shown_state: signedToken(SHOWN, payload, key()),
    ticket: signedToken(TICKET, payload, key()),
    expires_at,
  }
}

function read(version: string, token: string): AccountLink | null {
  const payload = readSignedToken(version, token, key())
  return payload && AccountLink.parse(JSON.parse(payload.toString('utf8')))
}

/** Whether this instance issued the state, at any time, to the provider alone. */
export const isLinkState = (state: string): boolean => read(STATE, state) !== null

/** The link of a state, whether or not it was used; null if the state is not ours or has expired. */
export function readLink(state: string, now: Date): AccountLink | null {
  const link = read(STATE, state) ?? read(SHOWN, state)
  return link && link.expires_at + GRACE_MS > now.getTime() ? link : null
}

/** For the page of a sign-in that has not begun: without the grace period, and null for a used state. */
export async function readOpenLink(state: string, now: Date): Promise<AccountLink | null> {
  const link = read(STATE, state)
  if (!link || link.expires_at <= now.getTime()) return null
  const used = await db.usedGrant.findUnique({ where: { grant_id: link.link_id } })
  return used ? null : link
}

/** The link behind the ticket of a returning browser; null for a ticket that is not ours. */
export const readTicket = (ticket: string): AccountLink | null => read(TICKET, ticket)

/** Uses a link up; false if it was used before. */
export async function useLink(tx: Pick<typeof db, 'usedGrant'>, link: AccountLink): Promise<boolean> {
  const row = { grant_id: link.link_id, expires_at: new Date(link.expires_at + GRACE_MS) }
  const { count } = await tx.usedGrant.createMany({ data: [row], skipDuplicates: true })
  return count === 1
}
