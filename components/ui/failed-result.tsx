import { unstable_isUnrecognizedActionError } from 'next/navigation'

const KEPT = 'The server could not be reached. Your input is kept. Try again.'

/** The message if no response arrived. Errors thrown by the server (redirects, error pages) have a digest and are rethrown. */
export function failedResult(error: unknown, lost = KEPT): { ok: false; message: string } {
  if (error instanceof Error && 'digest' in error) throw error
  if (unstable_isUnrecognizedActionError(error))
    return {
      ok: false,
      message: 'Opener was updated. Copy your input, then reload the page.',
    }
  // The server may have done it nevertheless.
  return { ok: false, message: lost }
}
