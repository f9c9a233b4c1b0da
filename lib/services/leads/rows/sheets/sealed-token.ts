import { seal } from '#lib/db/seal'

/** As its column holds it: what is sealed for one account opens for no other. */
export const sealSheetToken = (accountId: string, token: string): string => seal(token, accountId)
