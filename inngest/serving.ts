import { functions } from '#inngest/functions'
import { inngest } from '#lib/events/client'

/** How the functions are served. Callers that may not call them may not register them either. */
export const serving = { client: inngest, functions, enableUnauthedSync: false }
