import { randomBytes } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { cookieNamed, placeOfRequest } from '#lib/http/session'

/** The longest that browsers keep a cookie. */
const SECONDS = 400 * 24 * 3600
const LENGTH = 43

/** Identifies this browser by a random cookie, set here if it is missing. The cookie grants no access. */
export async function readBrowser() {
  const { name, options } = cookieNamed('device')
  const jar = await cookies()
  const known = jar.get(name)?.value
  const device = known?.length === LENGTH ? known : randomBytes(32).toString('base64url')
  jar.set(name, device, { ...options, maxAge: SECONDS })
  const user_agent = (await headers()).get('user-agent')
  return { device, user_agent, place: await placeOfRequest() }
}
