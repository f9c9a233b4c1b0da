import type { AttachedFile } from '#lib/contracts/messages/attachments'
import { sizeWords } from '#lib/domain/text/size-words'

/** What a preview says of a file that leaves with the mail. */
export const attachedNote = ({ filename, size_bytes }: AttachedFile) =>
  `${filename} is attached (${sizeWords(size_bytes)}).`
