import { seal } from '#lib/db/seal'

/** Seals a token for its column, bound to one mailbox: it cannot be opened for another. */
export const sealToken = (mailboxId: string, token: string): string => seal(token, mailboxId)
