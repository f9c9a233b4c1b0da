import { routes } from '#lib/http/route'
import { readIntentRules, replaceIntentRules } from '#lib/operations/inbox/intent-rules'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readIntentRules, replaceIntentRules)
