import type { AttachedFile } from '#lib/contracts/messages/attachments'
import { sizeWords } from '#lib/domain/text/size-words'

/** How a preview describes an attached file. */
export const attachedNote = ({ filename, size_bytes }: AttachedFile) =>
  `${filename} is attached (${sizeWords(size_bytes)}).`
