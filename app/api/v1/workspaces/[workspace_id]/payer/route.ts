import { routes } from '#lib/http/route'
import { endParentPaying, letParentPay, readPayer } from '#lib/operations/billing/payer'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readPayer, letParentPay, endParentPaying)
