import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type ListImages, MOST_IMAGES } from '#lib/contracts/messages/images'
import { db } from '#lib/db/client'
import type { ImageModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { judgeMailImage } from '#lib/domain/images/mail-image'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'

const DIGEST_CHARS = 32
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
}

/** The URL has a file extension, because some filters do not take a URL without one for an image. */
const imageUrl = ({ workspace_id, digest, content_type }: Shown) =>
  `${env().APP_URL.replace(/\/$/, '')}/files/images/${workspace_id}/${digest}.${ENDINGS[content_type]}`

type Shown = Omit<ImageModel, 'bytes'>
const WITHOUT_BYTES = { bytes: true } as const

/** Checks an image and stores it; an image that is stored already is returned as it is. */
export async function createImage(workspace_id: string, file: File, now: Date) {
  const judged = judgeMailImage(new Uint8Array(await file.arrayBuffer()))
  if (!judged.ok) throw new AppError(judged.code, { message: judged.reason })
  const { bytes, content_type, width, height } = judged
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_CHARS)
  const image = await db.$transaction(async (tx) => {
    // Serialized by this lock, so that concurrent requests count each other's images.
    await tx.$queryRaw`SELECT 1 FROM workspaces WHERE workspace_id = ${workspace_id}::uuid FOR NO KEY UPDATE`
    const known = await tx.image.findFirst({ where: { workspace_id, digest }, omit: WITHOUT_BYTES })
    if (known) return known
    if ((await tx.image.count({ where: { workspace_id } })) >= MOST_IMAGES) throw new AppError('images_full')
    const about = { digest, content_type, size_bytes: bytes.length, width, height, created_at: now }
    return tx.image.create({ data: { ...about, workspace_id, bytes }, omit: WITHOUT_BYTES })
  })
  return { ...image, url: imageUrl(image) }
}

/** The bytes behind an image URL; null for an unknown one. */
export async function findImage(workspace_id: string, file: string) {
  const [digest = '', ending] = file.split('.', 2)
  const image = await db.image.findFirst({ where: { workspace_id, digest } })
  if (!image || ENDINGS[image.content_type] !== ending) return null
  return { bytes: new Uint8Array(image.bytes), content_type: image.content_type }
}

export async function listImages(
  workspace_id: string,
  { page, page_size }: z.output<typeof ListImages.query>,
) {
  const where = { workspace_id }
  const [rows, total] = await Promise.all([
    db.image.findMany({
      where,
      omit: WITHOUT_BYTES,
      orderBy: [{ created_at: 'desc' }, { image_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.image.count({ where }),
  ])
  return { items: rows.map((row) => ({ ...row, url: imageUrl(row) })), total, page, page_size }
}

/** Deletes an image. Messages that were sent with it no longer show it; an image that may still be sent is refused. */
export async function deleteImage(workspace_id: string, image_id: string): Promise<void> {
  const image = await db.image.findFirst({ where: { image_id, workspace_id }, omit: WITHOUT_BYTES })
  if (!image) throw new AppError('image_not_found')
  const use = await findUse(workspace_id, `%/files/images/${workspace_id}/${image.digest}.%`)
  if (use) throw new AppError('image_in_use', { message: `${use.what} “${use.name}” shows this image.` })
  const { count } = await db.image.deleteMany({ where: { image_id, workspace_id } })
  if (count === 0) throw new AppError('image_not_found')
}

/** A text that shows the image, in the workspace or in a child, which uses its templates. */
async function findUse(workspaceId: string, address: string) {
  const [use] = await db.$queryRaw<{ what: string; name: string }[]>`
    WITH own AS (SELECT workspace_id FROM workspaces WHERE workspace_id = ${workspaceId}::uuid
      UNION ALL SELECT workspace_id FROM workspaces WHERE parent_workspace_id = ${workspaceId}::uuid)
    SELECT 'The template' AS what, t.name FROM templates t JOIN own USING (workspace_id)
      WHERE t.content::text LIKE ${address}
    UNION ALL SELECT 'The campaign', c.name FROM campaigns c JOIN own USING (workspace_id)
      WHERE c.status NOT IN ('completed', 'failed') AND (c.steps_config::text LIKE ${address}
        OR EXISTS (SELECT 1 FROM campaign_texts k WHERE k.campaign_id = c.campaign_id AND k.content::text LIKE ${address}))
    UNION ALL SELECT 'The signature of', m.address FROM mailboxes m JOIN own USING (workspace_id)
      WHERE m.signature LIKE ${address}
    LIMIT 1`
  return use ?? null
}
