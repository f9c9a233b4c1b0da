import { serve } from 'inngest/next'
import { serving } from '#inngest/serving'

/** Longest that one call of a function may take, in seconds. */
export const maxDuration = 300

export const { GET, POST, PUT } = serve(serving)
