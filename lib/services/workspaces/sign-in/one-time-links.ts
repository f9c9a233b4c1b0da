import { createHash, randomBytes } from 'node:crypto'
import { db } from '#lib/db/client'
import type { LinkPurpose } from '#lib/db/generated/enums'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'

const HOUR_MS = 3_600_000
const LIFETIME_MS = { first_account: 24 * HOUR_MS, password: HOUR_MS, not_me: 7 * 24 * HOUR_MS } as const
const PATHS = { first_account: 'first-account', password: 'reset-password', not_me: 'not-me' } as const
/** Each link of these purposes concerns its own event, so later links do not replace it. */
const STAYS = ['not_me']

const digestToken = (token: string) => createHash('sha256').update(token).digest('hex')

type About = (
  | { purpose: 'first_account'; user_id: null }
  | { purpose: 'password' | 'not_me'; user_id: string }
) & { mailed?: boolean }

/** Creates a link and returns its URL. It replaces earlier links of the same purpose and user, except those in `STAYS`. */
export async function makeLink({ purpose, user_id, mailed = false }: About, now: Date) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + LIFETIME_MS[purpose])
  await db.$transaction([
    db.oneTimeLink.deleteMany({
      where: { purpose, user_id, ...(STAYS.includes(purpose) && { expires_at: { lte: now } }) },
    }),
    db.oneTimeLink.create({
      data: { purpose, user_id, mailed, digest: digestToken(token), created_at: now, expires_at },
    }),
  ])
  return { url: new URL(`/${PATHS[purpose]}/${token}`, env().APP_URL).href, expires_at }
}

const open = (purpose: LinkPurpose, token: string, now: Date) => ({
  purpose,
  digest: digestToken(token),
  used_at: null,
  expires_at: { gt: now },
})

/** The user of a link, without using it up; null if the link is invalid. */
export async function readLink(purpose: LinkPurpose, token: string, now: Date) {
  return db.oneTimeLink.findFirst({ where: open(purpose, token, now), include: { user: true } })
}

export const SPENT = 'This link was used or has expired.'

/** Uses up a link; returns whom it is for. */
export async function useLink(
  tx: Pick<typeof db, 'oneTimeLink'>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<{ user_id: string | null; mailed: boolean; created_at: Date }> {
  const [used] = await tx.oneTimeLink.updateManyAndReturn({
    where: open(purpose, token, now),
    data: { used_at: now },
  })
  if (!used) throw new AppError('grant_invalid', { message: SPENT })
  return used
}
