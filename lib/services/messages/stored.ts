import { z } from 'zod'
import { LeadFiles } from '#lib/contracts/messages/attachments'
import { asRecord } from '#lib/domain/text/record'

/** The words of a template or of a campaign's copy of one, as a JSON column keeps them. */
export const StoredText = z.object({
  subject: z.string().nullable(),
  body: z.string(),
  attachment_ids: z.array(z.string()).optional(),
  lead_files: LeadFiles.optional(),
})

/** What a sender profile says of its sender, as a JSON column keeps it. */
export const profileData = (profile: { sender_data: unknown } | null | undefined): Record<string, unknown> =>
  asRecord(asRecord(profile?.sender_data).data)
