import { after } from 'next/server'
import type { z } from 'zod'
import type { SignIn } from '#lib/contracts/workspaces/sign-in'
import { AppError } from '#lib/errors'
import { log } from '#lib/http/log'
import { placeOfRequest } from '#lib/http/session'
import { noteFailure } from '#lib/http/sign-in/tell-sign-ins'
import { noteFailedSignIn, signInByPassword } from '#lib/services/workspaces/sign-in/by-password'

/** For every form that takes a password. Failures are logged by account id, since people type passwords into the name field. */
export async function enterByPassword(fields: z.output<typeof SignIn>) {
  const now = new Date()
  const place = await placeOfRequest()
  try {
    const user = await signInByPassword(fields, place, now)
    // After the response, which must not take longer for addresses that have an account.
    if (!user) {
      const record = await noteFailure('password')
      after(async () => record(await tellFailure(fields.email, place, now), now))
    }
    return user
  } catch (error) {
    if (error instanceof AppError) log().warn({ place, reason: error.code }, 'a sign-in was refused')
    throw error
  }
}

async function tellFailure(email: string, place: string, now: Date): Promise<string | null> {
  const user_id = await noteFailedSignIn(email, place, now).catch((error: unknown) => {
    log().error({ err: error }, 'a failed sign-in was not logged')
    return null
  })
  log().warn({ place, user_id, reason: 'wrong' }, 'a sign-in was refused')
  return user_id
}
