import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { isLocalOnly } from '#lib/services/instance/network-exposure'
import { matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'

/** The account that `npm run up` creates on a personal machine. */
export const DEMO = { email: 'demo@opener.local', password: 'opener-demo' } as const

/**
 * Whether the account is closed: everybody knows the demo account's password, and its keys, tokens and sessions may be anybody's. If others
 * can reach the instance, none of them is accepted; its data stays.
 */
export const isShut = ({ email }: { email: string }): boolean => email === DEMO.email && !isLocalOnly()

/** Cached by hash, since each comparison costs as much as a sign-in. */
const known = new Map<string, boolean>()

/** Whether there is a sandbox and the demo account still has the published password. */
export async function demoIsOpen(): Promise<boolean> {
  if (env().SANDBOX_SMTP_PORT === undefined || !isLocalOnly()) return false
  const { password_hash = null } = (await db.user.findUnique({ where: { email: DEMO.email } })) ?? {}
  if (password_hash === null) return false
  const isOpen = known.get(password_hash) ?? (await matchesPassword(DEMO.password, password_hash))
  known.set(password_hash, isOpen)
  return isOpen
}
