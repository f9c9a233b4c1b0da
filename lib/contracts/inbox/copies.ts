import { z } from 'zod'

export const MAX_COPIES = 20

const copies = () => z.array(z.email().max(254).toLowerCase()).max(MAX_COPIES)

/** The cc and bcc of an answer. If they are absent, nobody gets a copy. */
export const copyFields = {
  cc: copies()
    .optional()
    .describe(
      `Up to ${MAX_COPIES} more recipients, visible to everybody. 422 if one is on the suppression list. Not in a chat.`,
    ),
  bcc: copies().optional().describe('The same, hidden from other recipients. Not in a chat.'),
}

/** The cc and bcc of a message that already exists. */
export const keptCopies = {
  cc: z.array(z.string()).describe('Other recipients, visible to everybody.'),
  bcc: z.array(z.string()).describe('Other recipients, hidden from the rest.'),
}
