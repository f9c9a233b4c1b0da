import { type ListedFile, listedFiles, readablePlaces } from '#lib/domain/inbox/written/listed-files'
import { togetherProblem } from '#lib/domain/messages/attached/limits'
import { invalid } from '#lib/errors'
import type { MailFile } from '#lib/providers/mail/port'
import { fileReader } from '#lib/services/inbox/thread/files'
import { MAIL_FILE_SEATS, seatOrRefusal } from '#lib/services/instance/seats'
import { type Loaded, loadAttachments } from '#lib/services/messages/attached/attachments'

type Original = {
  thread_id: string
  inbox_message_id: string
  workspace_id: string
  attachments: unknown
  attachment_ids: string[]
  inbound_message_id: string | null
  inbound_message: { raw: Uint8Array | null } | null
}
type Asked = { files?: number[] | undefined; attachment_ids?: string[] | undefined }

/** The files sent along with a forwarded message, and how the forward lists them. */
export type ForwardedFiles = { files: MailFile[]; listed: ListedFile[] }

/**
 * Loads files of the message by their positions, then those of `attachment_ids`; throws if one of them cannot
 * be forwarded.
 */
export async function loadForwardedFiles(
  original: Original,
  { files: asked, attachment_ids = [] }: Asked,
  now: Date,
): Promise<ForwardedFiles> {
  const listed = listedFiles(original.attachments)
  const places = [...new Set(asked ?? placesByItself(original, listed))]
  const chosen = places.map((place) => {
    const file = listed[place]
    if (!file) throw invalid(['body', 'files'], `The message has no file number ${place}.`)
    return file
  })
  // Checked before anything is loaded; a mail that was only partly read may turn out to have more than is
  // listed.
  refuseTooLarge(chosen)
  const others = await loadAttachments(original.workspace_id, attachment_ids)
  const own = places.length > 0 ? await readPlaces(original, places, now) : []
  refuseTooLarge([...own, ...others].map(({ content }) => ({ size_bytes: content.length })))
  const { inbox_message_id: of_message_id } = original
  return {
    files: [...own, ...others],
    listed: [
      ...own.map((file, at) => ({ ...toListed(file), of_message_id, of_position: places[at] ?? 0 })),
      ...others.map(toListed),
    ],
  }
}

const toListed = ({ filename, content_type, content }: MailFile | Loaded): ListedFile => ({
  filename,
  content_type,
  size_bytes: content.length,
})

function refuseTooLarge(files: readonly { size_bytes: number }[]): void {
  const problem = togetherProblem(files)
  if (problem) throw invalid(['body', 'files'], problem)
}

/** The default selection: the files available without asking the mailbox. */
const placesByItself = (original: Original, listed: ListedFile[]): number[] =>
  original.inbound_message_id && !original.inbound_message?.raw ? [] : readablePlaces(original, listed)

async function readPlaces(
  { workspace_id, thread_id, inbox_message_id }: Original,
  places: number[],
  now: Date,
): Promise<MailFile[]> {
  const giveBack = await seatOrRefusal(MAIL_FILE_SEATS, workspace_id)
  try {
    const read = fileReader(workspace_id, thread_id, now)
    const files: MailFile[] = []
    for (const place of places) files.push(await read(inbox_message_id, place))
    return files
  } finally {
    await giveBack()
  }
}
