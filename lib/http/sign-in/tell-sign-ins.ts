import { headers } from 'next/headers'
import { log } from '#lib/http/log'
import { placeOfRequest } from '#lib/http/session'
import { mailNewDevice } from '#lib/services/workspaces/sign-in/new-device'
import { recordFailedSignIn } from '#lib/services/workspaces/sign-in/sign-ins'

/** Runs after the response, since a mail server may be slow. */
export async function tellNewDevice(user_id: string, signInId: string, now: Date): Promise<void> {
  const outcome = await mailNewDevice(signInId, now).catch((error: unknown) => {
    log().error({ err: error }, 'the mail about a new device was not sent')
    return 'failed'
  })
  log().info({ user_id, outcome }, 'an account was opened from a new device')
}

/** Call before responding, because it reads the request; the function it returns stores the failure afterwards. */
export async function noteFailure(method: 'password' | 'passkey') {
  const from = { method, user_agent: (await headers()).get('user-agent'), place: await placeOfRequest() }
  return async (user_id: string | null, now: Date) => {
    if (user_id) await recordFailedSignIn(user_id, from, now)
  }
}
