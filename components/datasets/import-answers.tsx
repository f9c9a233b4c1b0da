import type { Output } from '#lib/contracts/contract'
import type { PreviewSpreadsheet } from '#lib/contracts/datasets/uploads'
import type { Check } from './import-check.tsx'

/** What the server says of a file before anything of it is kept. */
export type PreviewAnswer =
  | { ok: true; preview: Output<typeof PreviewSpreadsheet> }
  | { ok: false; message: string }
export type CheckAnswer = { ok: true; check: Check } | { ok: false; message: string }
