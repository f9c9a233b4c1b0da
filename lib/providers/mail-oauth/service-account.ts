import { importPKCS8 } from 'jose'
import { z } from 'zod'

/** The fields of Google's key file that are used here. Its URLs are ignored: tokens come from Google's own endpoint. */
const KeyFile = z.object({
  type: z.literal('service_account'),
  client_id: z.string().regex(/^\d{1,40}$/),
  client_email: z.email().max(320),
  private_key_id: z.string().max(200).nullish(),
  private_key: z.string().max(8_000),
})

export type ServiceAccount = {
  /** The number under which an administrator allows it. */
  client_id: string
  account: string
  key_id: string | null
  private_key: string
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Parses Google's key file; returns the reason in words if it is invalid. The reason repeats nothing of the file. */
export async function readServiceAccount(text: string): Promise<ServiceAccount | string> {
  const read = KeyFile.safeParse(parsed(text))
  if (!read.success) return 'must be the JSON key file of a service account'
  const { client_id, client_email, private_key_id, private_key } = read.data
  try {
    await importPKCS8(private_key, 'RS256')
  } catch {
    return 'must hold a private key that can be read'
  }
  return { client_id, account: client_email.toLowerCase(), key_id: private_key_id ?? null, private_key }
}
