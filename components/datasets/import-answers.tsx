import type { Output } from '#lib/contracts/contract'
import type { ImportCheck, PreviewSpreadsheet } from '#lib/contracts/datasets/uploads'

/** What the server says of a file before anything of it is kept. */
export type PreviewAnswer =
  | { ok: true; preview: Output<typeof PreviewSpreadsheet> }
  | { ok: false; message: string }
export type CheckAnswer = { ok: true; check: ImportCheck } | { ok: false; message: string }
