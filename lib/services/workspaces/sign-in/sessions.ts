import type { z } from 'zod'
import type { ListSessions } from '#lib/contracts/workspaces/sessions'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { UserModel, UserSessionModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { prepared } from '#lib/db/prepared'
import { networkPlaceLabel } from '#lib/domain/text/network-place'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { deviceName } from '#lib/domain/workspaces/device-name'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'

const SEEN_EVERY_MS = 5 * 60_000
const DAY_MS = 86_400_000

/** A browser's user agent in a form that Postgres can store. */
export const storableAgent = (agent: string | null) =>
  agent?.replaceAll('\0', '').toWellFormed().slice(0, 300) ?? null

/**
 * Returns the session id for the browser's cookie. `shown` is the password hash that was checked. If it has changed since, no session
 * is opened: otherwise somebody with the old password could get in after everybody was signed out.
 */
export async function openSession(
  userId: string,
  from: { user_agent: string | null; place: string | null },
  now: Date,
  seconds: number,
  shown?: { password_hash: string | null },
): Promise<string> {
  const data = {
    user_id: userId,
    user_agent: storableAgent(from.user_agent),
    place: networkPlaceLabel(from.place),
    created_at: now,
    last_seen_at: now,
    proven_at: now,
    expires_at: new Date(now.getTime() + seconds * 1000),
  }
  return db.$transaction(async (tx) => {
    if (shown) await requireSame(tx, userId, shown)
    return (await tx.userSession.create({ data })).session_id
  })
}

/** Locks the user, so that a later password change also ends the session opened here. */
async function requireSame(
  tx: Prisma.TransactionClient,
  userId: string,
  { password_hash }: { password_hash: string | null },
): Promise<void> {
  const [user] = await tx.$queryRaw<{ password_hash: string | null }[]>`
    SELECT password_hash FROM users WHERE user_id = ${userId}::uuid FOR SHARE`
  if (user?.password_hash !== password_hash)
    throw new AppError('conflict', { message: 'The password has been changed. Sign in again.' })
}

/** A session not seen since then has been idle for too long. */
const leftAlone = (now: Date) => new Date(now.getTime() - env().SESSION_IDLE_DAYS * DAY_MS)

/** Sessions that are neither signed out, expired, nor idle for too long. */
const alive = (userId: string, now: Date) => ({
  user_id: userId,
  revoked_at: null,
  expires_at: { gt: now },
  last_seen_at: { gt: leftAlone(now) },
})

type SessionUser = Pick<UserModel, 'user_id' | 'email' | 'name' | 'created_at' | 'last_workspace_id'> & {
  chosen_workspace_id: string | null
  last_seen_at: Date
}

/** The user of session $1 if it is a valid session of user $2: not expired at $3, and seen since $4. */
const SESSION_USER = `SELECT u.user_id, u.email, u.name, u.created_at, u.last_workspace_id, s.workspace_id AS chosen_workspace_id, s.last_seen_at
  FROM user_sessions s JOIN users u USING (user_id)
  WHERE s.session_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3 AND s.last_seen_at > $4`

/**
 * Null if the session was ended, has expired, was idle for too long, or belongs to another user. Every page begins with this, so it is one
 * prepared statement.
 */
export async function userOfSession(userId: string, sessionId: string, now: Date) {
  const { rows } = await pool().query<SessionUser>(
    prepared(SESSION_USER, [sessionId, userId, now, leftAlone(now)]),
  )
  const [user] = rows
  if (!user || isShut(user)) return null
  if (now.getTime() - user.last_seen_at.getTime() > SEEN_EVERY_MS)
    await db.userSession.updateMany({ where: { session_id: sessionId }, data: { last_seen_at: now } })
  return user
}

const ORDERS: Orders<UserSessionModel> = {
  browser: ({ user_agent }) => deviceName(user_agent),
  place: ({ place }) => place,
  created_at: ({ created_at }) => created_at,
  last_seen_at: ({ last_seen_at }) => last_seen_at,
}

/** Signed-in browsers, the latest first by default. */
export async function listSessions(
  userId: string,
  { sort, ...page }: z.output<typeof ListSessions.query>,
  now: Date,
) {
  const where = alive(userId, now)
  const [rows, total] = await Promise.all([
    db.userSession.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { session_id: 'desc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.userSession.count({ where }),
  ])
  return { items: sortedPage(rows, ORDERS, { sort, ...page }), total, ...page }
}

/** Ends a session; true if there was one. */
export async function closeSession(userId: string, sessionId: string, now: Date): Promise<boolean> {
  const { count } = await db.userSession.updateMany({
    where: { session_id: sessionId, ...alive(userId, now) },
    data: { revoked_at: now },
  })
  return count > 0
}

/** Signs one browser out and revokes the tokens issued to it. */
export async function revokeSession(userId: string, sessionId: string, now: Date): Promise<void> {
  if (!(await closeSession(userId, sessionId, now))) throw new AppError('session_not_found')
}

/** Signs out every browser except `keep`, if given. */
export async function closeOtherSessions(
  userId: string,
  currentId: string | undefined,
  now: Date,
): Promise<void> {
  await db.userSession.updateMany({
    where: { ...alive(userId, now), ...(currentId && { session_id: { not: currentId } }) },
    data: { revoked_at: now },
  })
}
