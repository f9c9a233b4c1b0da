import { functions } from '#inngest/functions'
import { inngest } from '#lib/events/client'

/** How the functions are served, to whichever server calls them. Who may not call them may not register them either. */
export const serving = { client: inngest, functions, enableUnauthedSync: false }
