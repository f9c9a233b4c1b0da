import type { Output } from '#lib/contracts/contract'
import type {
  CreateUpload,
  CreateUploadFromUrl,
  ImportCheck,
  PreviewUpload,
} from '#lib/contracts/datasets/uploads'

/** What the server says of a file before anything of it is kept. */
export type PreviewAnswer =
  | { ok: true; preview: Output<typeof PreviewUpload> }
  | { ok: false; message: string }
export type CheckAnswer = { ok: true; check: ImportCheck } | { ok: false; message: string }
/** The file that a link led to, by now among the uploads. */
export type FetchAnswer =
  | { ok: true; upload: Output<typeof CreateUploadFromUrl> }
  | { ok: false; message: string }
/** Where the file is to be put. */
export type UploadAnswer = { ok: true; upload: Output<typeof CreateUpload> } | { ok: false; message: string }
