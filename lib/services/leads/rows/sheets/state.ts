import { createHash, createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'

const LIFETIME_MS = 10 * 60_000
const STATE = 's1'

const SheetState = z.object({
  state_id: z.uuid(),
  workspace_id: z.uuid(),
  vendor: z.enum(['google', 'sandbox']),
  dataset_id: z.uuid(),
  /** A digest of the browser's session, because the vendor sees the state. */
  session: z.string(),
  expires_at: z.number(),
})
export type SheetState = z.output<typeof SheetState>

const digest = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url')

/**
 * Derived instead of stored, so that abandoned sign-ins leave nothing in the database. Known only to this
 * instance and constant for one sign-in.
 */
const derived = (purpose: 'pkce' | 'nonce', id: string) =>
  createHmac('sha256', keyFor(`sheets-oauth-${purpose}`))
    .update(id)
    .digest('base64url')

export const deriveSheetSecrets = ({ state_id }: SheetState) => ({
  code_verifier: derived('pkce', state_id),
  nonce: derived('nonce', state_id),
})

type Asked = Pick<SheetState, 'workspace_id' | 'vendor' | 'dataset_id'> & { session_id: string }

function readState(state: string, session_id: string, now: Date): SheetState | null {
  const payload = readSignedToken(STATE, state, keyFor('sheets-oauth'))
  const read = payload && SheetState.parse(JSON.parse(payload.toString('utf8')))
  if (!read || read.expires_at <= now.getTime()) return null
  return read.session === digest(session_id) ? read : null
}

/**
 * The workspace in which this browser started the sign-in, whatever its other tabs show now; null if the
 * state belongs to another session.
 */
export const workspaceOfSheetState = (state: string, session_id: string, now: Date): string | null =>
  readState(state, session_id, now)?.workspace_id ?? null

/** Starts a sign-in that this session may complete once, within ten minutes. */
export function issueSheetState({ session_id, ...asked }: Asked, now: Date) {
  const sheetState: SheetState = {
    ...asked,
    state_id: randomUUID(),
    session: digest(session_id),
    expires_at: now.getTime() + LIFETIME_MS,
  }
  const payload = Buffer.from(JSON.stringify(sheetState))
  return { sheetState, state: signedToken(STATE, payload, keyFor('sheets-oauth')) }
}

/**
 * Null if the state is not ours, belongs to another session or workspace, has expired, or was used before.
 * Marks it as used.
 */
export async function spendSheetState(
  state: string,
  whose: { session_id: string; workspace_id: string },
  now: Date,
): Promise<SheetState | null> {
  const read = readState(state, whose.session_id, now)
  if (read?.workspace_id !== whose.workspace_id) return null
  const row = { grant_id: read.state_id, expires_at: new Date(read.expires_at) }
  const { count } = await db.usedGrant.createMany({ data: [row], skipDuplicates: true })
  return count === 1 ? read : null
}
