import { after } from 'next/server'
import type { z } from 'zod'
import type { PasskeyAnswer } from '#lib/contracts/workspaces/passkeys'
import { log } from '#lib/http/log'
import { placeOfRequest } from '#lib/http/session'
import { noteFailure } from '#lib/http/sign-in/tell-sign-ins'
import { noteFailedPasskey, signInByPasskey } from '#lib/services/workspaces/sign-in/by-passkey'

/** The user whose passkey was verified, or null; failures are logged. */
export async function enterByPasskey(answer: z.output<typeof PasskeyAnswer>) {
  const now = new Date()
  const place = await placeOfRequest()
  const user = await signInByPasskey(answer, place, now)
  if (!user) {
    const record = await noteFailure('passkey')
    after(async () => {
      const user_id = await noteFailedPasskey(answer.id, place, now)
      log().warn({ place, user_id, reason: 'passkey' }, 'a sign-in was refused')
      await record(user_id, now)
    })
  }
  return user
}
