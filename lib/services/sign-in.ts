import type { z } from 'zod'
import type { SignIn, SignUp } from '#lib/contracts/sign-in'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { giveTokenBack, takeToken } from '#lib/services/rate-limits'
import { createUserWithPassword, userOfPassword } from '#lib/services/users'

/** Wrong passwords a minute: from one place against one account, and from everywhere against one account. */
const TRIES_HERE = 10
const TRIES_EVERYWHERE = 30
/** New accounts a minute from one place. */
const SIGN_UPS = 5

/**
 * The user of an address and a password, or null. `place` is the network address of whoever asks. Guessing is slowed
 * down per address and place, and per address alone, since a place is easily changed; a right password costs nothing.
 */
export async function signInByPassword(fields: z.output<typeof SignIn>, place: string, now: Date) {
  const address = fields.email.toLowerCase()
  const buckets = [
    [`sign-in:${address}:${place}`, TRIES_HERE],
    [`sign-in:${address}`, TRIES_EVERYWHERE],
  ] as const
  for (const [bucket, perMinute] of buckets) await takeOne(bucket, perMinute, now)
  const user = await userOfPassword(address, fields.password)
  if (user) await Promise.all(buckets.map(([bucket]) => giveTokenBack(bucket)))
  return user
}

async function takeOne(bucket: string, perMinute: number, now: Date): Promise<void> {
  if ((await takeToken(bucket, perMinute, now)) < 0)
    throw new AppError('rate_limited', {
      message: 'Too many attempts; wait a minute and try again.',
      retryAfterSeconds: 60 / perMinute,
    })
}

/**
 * Nobody checks that the address of a new account is its owner's. So accounts by password are not made where an
 * identity provider vouches for addresses: whoever signed up first would share the real owner's account.
 */
export function signUpIsOpen(): boolean {
  const { ALLOW_SIGN_UP, OIDC_ISSUER, AUTH_ISSUERS } = env()
  return ALLOW_SIGN_UP && !OIDC_ISSUER && AUTH_ISSUERS.trim() === '[]'
}

/** Null where the address has an account already; `forbidden` where sign-up is not open. */
export async function signUp(fields: z.output<typeof SignUp>, place: string, now: Date) {
  if (!signUpIsOpen()) throw new AppError('forbidden', { message: 'Accounts are made by the operator here.' })
  await takeOne(`sign-up:${place}`, SIGN_UPS, now)
  return createUserWithPassword(fields.email, fields.name, fields.password)
}

/** The account that `npm run up` makes on a machine of one's own. */
export const DEMO = { email: 'demo@opener.local', password: 'opener-demo' } as const

/** True while there is a sandbox and the demo account still opens with the password that everybody knows. */
export async function demoIsOpen(): Promise<boolean> {
  return env().SANDBOX_SMTP_PORT !== undefined && (await userOfPassword(DEMO.email, DEMO.password)) !== null
}
