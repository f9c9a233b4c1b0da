import { z } from 'zod'

export const MAX_COPIES = 20

const copies = () => z.array(z.email().max(254).toLowerCase()).max(MAX_COPIES)

/** Whom an answer goes to besides. Read without them, an answer goes to nobody else. */
export const copyFields = {
  cc: copies()
    .optional()
    .describe(
      `At most ${MAX_COPIES} more recipients, whom everybody sees. 422 for one on the suppression list. Not in a chat.`,
    ),
  bcc: copies()
    .optional()
    .describe('The same, named in the envelope alone: no other recipient sees them. Not in a chat.'),
}

/** The same of what is written already. */
export const keptCopies = {
  cc: z.array(z.string()).describe('Whom it goes to besides, for everybody to see.'),
  bcc: z.array(z.string()).describe('Whom it goes to besides, unseen by the others.'),
}
