'use server'

import { tokenForMe } from '#lib/http/session'

/** The assistant panel uses the API like any client; its token is short-lived and ends with the session. */
export async function assistantToken(): Promise<string> {
  return tokenForMe()
}
