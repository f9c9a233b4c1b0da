import { log } from '#lib/http/log'
import { placeOfRequest } from '#lib/http/session'
import { readPending } from '#lib/http/sign-in/pending'
import { noteFailure } from '#lib/http/sign-in/tell-sign-ins'
import { passSecondFactor } from '#lib/services/workspaces/sign-in/second-factor'

/** Checks the second factor of a pending sign-in. `gone` if there is none, or it has expired. */
export async function enterByCode(code: string) {
  const user = await readPending()
  if (!user) return 'gone'
  const place = await placeOfRequest()
  const now = new Date()
  if (await passSecondFactor(user.user_id, code, place, now)) return user
  await (await noteFailure('password'))(user.user_id, now)
  log().warn({ place, user_id: user.user_id, reason: 'second factor' }, 'a sign-in was refused')
  return null
}
