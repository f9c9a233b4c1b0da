import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'

/** The address of the page that is asked for, as proxy.ts tells it. */
export const PATH_HEADER = 'x-opener-path'

/** Where whoever is not signed in is sent, and comes back from. */
export function signInPath(from: string | null, hasEnded: boolean): string {
  const query = new URLSearchParams()
  // Everybody who signs in gets there anyway.
  const back = from && !['/', '/home'].includes(from) ? safeReturnPath(from) : null
  if (back) query.set('return_path', back)
  if (hasEnded) query.set('ended', '1')
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in'
}
