import { z } from 'zod'
import { LeadFiles } from '#lib/contracts/messages/attachments'
import { asRecord } from '#lib/domain/text/record'

/** The text of a template, or a campaign's copy of it, as stored in a JSON column. */
export const StoredText = z.object({
  subject: z.string().nullable(),
  body: z.string(),
  attachment_ids: z.array(z.string()).optional(),
  lead_files: LeadFiles.optional(),
})

/** A sender profile's data, as stored in a JSON column. */
export const profileData = (profile: { sender_data: unknown } | null | undefined): Record<string, unknown> =>
  asRecord(asRecord(profile?.sender_data).data)
