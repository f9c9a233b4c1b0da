import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { z } from 'zod'
import { type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const KEYS = 'https://www.googleapis.com/oauth2/v3/certs'
const MAX_KEYS_BYTES = 64 * 1_024
const MAX_TOKEN = 4_096

export type PushSettings = {
  /** The audience of the token. */
  audience: string
  /** The service account that the Pub/Sub subscription signs as. */
  account: string
  outbound: OutboundHttpOptions
  issuers?: string[]
  keys_url?: string
}

/** Whether a request comes from Pub/Sub: by the token that Google signs for the subscription's account and for this address alone. */
export function createPushCheck({ audience, account, outbound, ...of }: PushSettings) {
  const { issuers = ISSUERS, keys_url = KEYS } = of
  // Fetches the keys again for an unknown key id, at most once in half a minute.
  const keys = createRemoteJWKSet(new URL(keys_url), {
    [customFetch]: async (url) => {
      const answer = await postOutbound(
        {
          method: 'GET',
          url,
          headers: { accept: 'application/json' },
          body: '',
          timeout_ms: 5_000,
          max_bytes: MAX_KEYS_BYTES,
        },
        outbound,
      )
      if (answer.status === null) throw new Error(answer.error)
      return new Response(answer.response, { status: answer.status })
    },
  })
  return async (authorization: string | null, now: Date): Promise<boolean> => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
    if (!token || token.length > MAX_TOKEN) return false
    const checks = {
      algorithms: ['RS256'],
      audience,
      issuer: issuers,
      currentDate: now,
      requiredClaims: ['exp'],
    }
    // An invalid token, or Google's keys cannot be fetched: Pub/Sub delivers again.
    const verified = await jwtVerify(token, keys, checks).catch(() => null)
    return verified?.payload.email === account && verified.payload.email_verified === true
  }
}

const Push = z.object({ message: z.object({ data: z.base64().max(4_096) }) })
const Told = z.object({ emailAddress: z.string().max(320) })

/** The mailbox that changed; null if the body has another form. */
export function readPush(body: string): string | null {
  try {
    const { message } = Push.parse(JSON.parse(body))
    return Told.parse(JSON.parse(Buffer.from(message.data, 'base64').toString())).emailAddress.toLowerCase()
  } catch {
    return null
  }
}
