import { routes } from '#lib/http/route'
import { resumeMailboxProvider } from '#lib/operations/senders/mailbox-health'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resumeMailboxProvider)
