import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { isLocalOnly } from '#lib/services/instance/network-exposure'
import { matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'

/** The account that `npm run up` makes on a machine of one's own. */
export const DEMO = { email: 'demo@opener.local', password: 'opener-demo' } as const

/**
 * Everybody knows how the demo account is opened, and what it has made (keys, tokens, sessions) may be anybody's. Where
 * others reach the instance nothing of it is good for anything; its data stays.
 */
export const isShut = ({ email }: { email: string }): boolean => email === DEMO.email && !isLocalOnly()

/** By hash, since each comparison costs as much as a sign-in. */
const known = new Map<string, boolean>()

/** True while there is a sandbox and the demo account opens with the password that everybody knows. */
export async function demoIsOpen(): Promise<boolean> {
  if (env().SANDBOX_SMTP_PORT === undefined || !isLocalOnly()) return false
  const { password_hash = null } = (await db.user.findUnique({ where: { email: DEMO.email } })) ?? {}
  if (password_hash === null) return false
  const isOpen = known.get(password_hash) ?? (await matchesPassword(DEMO.password, password_hash))
  known.set(password_hash, isOpen)
  return isOpen
}
