import { unstable_isUnrecognizedActionError } from 'next/navigation'

const KEPT = 'The server could not be reached. What you entered is still here. Try again.'

/** Of an answer that did not come. What the server throws has a digest, be it a redirect or an error with a page of its own. */
export function unheard(error: unknown, lost = KEPT): { ok: false; message: string } {
  if (error instanceof Error && 'digest' in error) throw error
  if (unstable_isUnrecognizedActionError(error))
    return {
      ok: false,
      message: 'This page is older than the last update. Copy what you entered, then reload it.',
    }
  // Whether the server did it is not known.
  return { ok: false, message: lost }
}
