import { fileName, isWebPage, toFileUrl } from '#lib/domain/datasets/file-link'
import { SPREADSHEET_BYTES } from '#lib/domain/datasets/file-size'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { download } from '#lib/providers/outbound-download'
import { importFetched, type Wanted } from '#lib/services/datasets/uploads'
import { keepFetched } from '#lib/services/files/uploads'
import { expectFile } from '#lib/services/reading/files'

const TIMEOUT_MS = 45_000

/** Downloads the file that a link leads to. Its type is judged by its bytes when it is read, whatever its name and declared type. */
async function fetchFile(link: string) {
  const policy = { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS }
  const asked = { url: toFileUrl(link), max_bytes: SPREADSHEET_BYTES, timeout_ms: TIMEOUT_MS }
  const answer = await download(asked, { policy })
  if (!answer.ok) {
    const isOurs = answer.reason === 'refused' || answer.reason === 'too_large'
    throw new AppError(isOurs ? 'link_refused' : 'link_unreachable', { message: answer.error })
  }
  if (answer.bytes.length === 0)
    throw new AppError('link_refused', { message: 'The link leads to an empty file.' })
  if (isWebPage(answer.bytes))
    throw new AppError('link_refused', {
      message:
        'The link leads to a web page, not a file. Share the file so anyone with the link can download it.',
    })
  return { filename: fileName(answer.url, answer.disposition), bytes: answer.bytes }
}

/** Stores the file at a link as if it had been uploaded. */
export async function createUploadFromUrl(workspaceId: string, url: string, now: Date) {
  expectFile()
  return keepFetched(workspaceId, await fetchFile(url), now)
}

export async function createDatasetFromUrl(workspaceId: string, url: string, wanted: Wanted, now: Date) {
  return importFetched(workspaceId, await fetchFile(url), wanted, now)
}
