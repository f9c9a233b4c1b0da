import { z } from 'zod'
import { id } from '#lib/contracts/fields'

/** The slots of one sender that one campaign used today. */
export const SenderUse = z
  .object({
    campaign_id: id(),
    campaign_name: z.string(),
    action_type: z.string(),
    used: z.int().describe('Sent, uncertain or in progress.'),
  })
  .meta({ id: 'SenderUse' })
export type SenderUse = z.output<typeof SenderUse>
