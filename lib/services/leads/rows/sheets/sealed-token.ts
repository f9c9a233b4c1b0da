import { seal } from '#lib/db/seal'

/** Encrypts a token for its column, bound to one account: it cannot be opened for another. */
export const sealSheetToken = (accountId: string, token: string): string => seal(token, accountId)
