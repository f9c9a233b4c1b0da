import { routes } from '#lib/http/route'
import { giveMailbox, takeMailbox } from '#lib/operations/senders/sender-members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(giveMailbox, takeMailbox)
