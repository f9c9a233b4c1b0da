import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'

/** The path of the requested page, set by proxy.ts. */
export const PATH_HEADER = 'x-opener-path'

/** The sign-in page for a visitor without a session, which leads back to the page they asked for. */
export function signInPath(from: string | null, hasEnded: boolean): string {
  const query = new URLSearchParams()
  // Signing in leads to the start page anyway.
  const back = from && !['/', '/home'].includes(from) ? safeReturnPath(from) : null
  if (back) query.set('return_path', back)
  if (hasEnded) query.set('ended', '1')
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in'
}
