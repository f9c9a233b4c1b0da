import { seal } from '#lib/db/seal'

/** As its column holds it: what is sealed for one mailbox opens for no other. */
export const sealToken = (mailboxId: string, token: string): string => seal(token, mailboxId)
