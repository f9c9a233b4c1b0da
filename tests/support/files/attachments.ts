import { CreateAttachment } from '#lib/contracts/messages/attachments'
import { call } from '#tests/support/call'
import { form } from '#tests/support/scenes/posts'

type User = { workspace_id: string; user_id: string }

/** Contains every byte value, so that none may be mistaken for a line end or a base64 character. */
export const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Uint8Array.from({ length: 3_001 }, (_, i) => (i * 7919 + (i >> 8)) % 256)),
])

export const file = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array(PDF), name = 'Offer.pdf') =>
  new File([bytes], name)

export const upload = (as: User, given = file()) =>
  call(CreateAttachment, { as, body: form({ file: given }) })

export async function anAttachment(owner: User, given = file()) {
  const { status, body, error } = await upload(owner, given)
  if (status !== 201) throw new Error(JSON.stringify(error))
  return body
}
