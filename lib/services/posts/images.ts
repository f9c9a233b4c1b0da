import { judgeImage } from '#lib/domain/images/judge'
import { AppError } from '#lib/errors'
import { keepFile } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'

/** The display name; the file is served by its content. */
const toFilename = (file: File, extension: string) => {
  const bare = file.name.replaceAll('\0', '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  return `${bare.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, 200) || 'image'}.${extension}`
}

/** Checks an image and stores it without its metadata; 400 with the reason if it is not an image or too large. */
export async function keepImage(file: File, now: Date) {
  const judged = judgeImage(new Uint8Array(await file.arrayBuffer()))
  if (!judged.ok) throw new AppError(judged.code, { message: judged.reason })
  const { extension, content_type, width, height, bytes } = judged
  const stored = await keepFile(fileStorage(), { folder: 'posts', extension, content_type, bytes }, now)
  return {
    ...stored,
    filename: toFilename(file, extension),
    content_type,
    size_bytes: bytes.length,
    width,
    height,
  }
}
