import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { ListSignIns } from '#lib/contracts/workspaces/sign-ins'
import { db, pool } from '#lib/db/client'
import type { SignInMethod } from '#lib/db/generated/enums'
import { rowsOfPage } from '#lib/db/page'
import { networkPlaceLabel } from '#lib/domain/text/network-place'
import { deviceName } from '#lib/domain/workspaces/device-name'
import { takeToken } from '#lib/services/instance/rate-limits'
import { storableAgent } from '#lib/services/workspaces/sign-in/sessions'

const KEPT_MS = 90 * 86_400_000
/** Failures per minute that one account's list keeps: guessing must not fill it. */
const FAILURES_KEPT = 10

/** What a request tells about its browser. `device` is the secret in its own cookie. */
export type Browser = { device: string; user_agent: string | null; place: string | null }

/** Combines the cookie's secret with the kind of browser, so that a cookie copied elsewhere counts as another device. */
const deviceDigest = ({ device, user_agent }: Browser) =>
  createHash('sha256')
    .update(`${device} ${deviceName(user_agent)}`)
    .digest('hex')

/**
 * Records a sign-in. `is_new_device` if the account had sign-ins before, but none from this device; the first sign-in of an account never
 * counts as new.
 */
export async function recordSignIn(
  userId: string,
  { method, session_id, browser }: { method: SignInMethod; session_id: string; browser: Browser },
  now: Date,
): Promise<{ sign_in_id: string; is_new_device: boolean }> {
  const { rows } = await pool().query<{ sign_in_id: string; is_new_device: boolean }>(
    `INSERT INTO sign_ins (user_id, at, method, succeeded, device, user_agent, place, session_id, is_new_device)
     SELECT $1, $2, $3::"SignInMethod", true, $4, $5, $6, $7,
       EXISTS (SELECT 1 FROM sign_ins WHERE user_id = $1 AND succeeded)
       AND NOT EXISTS (SELECT 1 FROM sign_ins WHERE user_id = $1 AND succeeded AND device = $4)
     RETURNING sign_in_id, is_new_device`,
    [
      userId,
      now,
      method,
      deviceDigest(browser),
      storableAgent(browser.user_agent),
      networkPlaceLabel(browser.place),
      session_id,
    ],
  )
  const [row] = rows
  if (!row) throw new Error('The sign-in was not saved.')
  return row
}

/** Whether the account was opened from this browser before, as far back as sign-ins are kept. */
export async function wasOpenedFrom(tx: Pick<typeof db, 'signIn'>, userId: string, browser: Browser) {
  const device = deviceDigest(browser)
  return (await tx.signIn.count({ where: { user_id: userId, succeeded: true, device } })) > 0
}

/** Records a failed sign-in, at most ten per minute. */
export async function recordFailedSignIn(
  userId: string,
  from: { method: SignInMethod; user_agent: string | null; place: string | null },
  now: Date,
): Promise<void> {
  if ((await takeToken(`sign-in-kept:${userId}`, FAILURES_KEPT, now)) < 0) return
  const { method, user_agent, place } = from
  await db.signIn.create({
    data: {
      user_id: userId,
      at: now,
      method,
      succeeded: false,
      user_agent: storableAgent(user_agent),
      place: networkPlaceLabel(place),
    },
  })
}

/** Sign-ins, the latest first, with the device in words. */
export async function listSignIns(userId: string, { page, page_size }: z.output<typeof ListSignIns.query>) {
  const where = { user_id: userId }
  const [rows, total] = await Promise.all([
    db.signIn.findMany({
      where,
      orderBy: [{ at: 'desc' }, { sign_in_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.signIn.count({ where }),
  ])
  const items = rows.map((row) => ({ ...row, device: deviceName(row.user_agent) }))
  return { items, total, page, page_size }
}

/** Removes sign-ins after 90 days, but never the last successful one: without it the next device would count as the first. */
export async function removeOldSignIns(now: Date): Promise<{ removed: number }> {
  const { rowCount } = await pool().query(
    `DELETE FROM sign_ins s WHERE at < $1 AND (NOT succeeded OR EXISTS (
       SELECT 1 FROM sign_ins l WHERE l.user_id = s.user_id AND l.succeeded
         AND (l.at, l.sign_in_id) > (s.at, s.sign_in_id)))`,
    [new Date(now.getTime() - KEPT_MS)],
  )
  return { removed: rowCount ?? 0 }
}
