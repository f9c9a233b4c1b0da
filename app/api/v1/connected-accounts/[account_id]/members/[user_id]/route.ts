import { routes } from '#lib/http/route'
import { giveAccount, takeAccount } from '#lib/operations/senders/sender-members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(giveAccount, takeAccount)
