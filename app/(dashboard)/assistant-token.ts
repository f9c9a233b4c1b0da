'use server'

import { tokenForMe } from '#lib/http/session'

/** The assistant's panel talks to the API as everybody does; its token is short-lived and ends with the session. */
export async function assistantToken(): Promise<string> {
  return tokenForMe()
}
