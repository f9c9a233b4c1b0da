import { unstable_isUnrecognizedActionError } from 'next/navigation'

const KEPT = 'The server could not be reached. What you entered is still here. Try again.'

/** The message if no response arrived. Errors thrown by the server (redirects, error pages) have a digest and are rethrown. */
export function failedResult(error: unknown, lost = KEPT): { ok: false; message: string } {
  if (error instanceof Error && 'digest' in error) throw error
  if (unstable_isUnrecognizedActionError(error))
    return {
      ok: false,
      message: 'This page is older than the last update. Copy what you entered, then reload it.',
    }
  // The server may have done it nevertheless.
  return { ok: false, message: lost }
}
