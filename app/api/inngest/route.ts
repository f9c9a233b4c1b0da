import { serve } from 'inngest/next'
import { functions } from '#inngest/functions'
import { inngest } from '#lib/events/client'

/** Longest that one call of a function may take, in seconds. */
export const maxDuration = 300

export const { GET, POST, PUT } = serve({ client: inngest, functions })
