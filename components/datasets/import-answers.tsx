import type { Output } from '#lib/contracts/contract'
import type {
  CreateUpload,
  CreateUploadFromUrl,
  ImportCheck,
  PreviewUpload,
} from '#lib/contracts/datasets/uploads'

/** The server's preview of a file, before anything is stored. */
export type PreviewAnswer =
  | { ok: true; preview: Output<typeof PreviewUpload> }
  | { ok: false; message: string }
export type CheckAnswer = { ok: true; check: ImportCheck } | { ok: false; message: string }
/** The file that a link led to, now stored as an upload. */
export type FetchAnswer =
  | { ok: true; upload: Output<typeof CreateUploadFromUrl> }
  | { ok: false; message: string }
/** Where to upload the file. */
export type UploadAnswer = { ok: true; upload: Output<typeof CreateUpload> } | { ok: false; message: string }
