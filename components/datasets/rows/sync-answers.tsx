import type { FormResult } from '#components/ui/controls/action-form'
import type { Output } from '#lib/contracts/contract'
import type { SheetAccount, SheetLink } from '#lib/contracts/datasets/google-sheets'
import type { SyncTable, TableChanges } from '#lib/contracts/datasets/table-sync'
import type { FetchAnswer, UploadAnswer } from '../import-answers.tsx'

type Refused = { ok: false; message: string }
export type ChangesAnswer = { ok: true; changes: TableChanges } | Refused
export type SyncAnswer = { ok: true; done: Output<typeof SyncTable> } | Refused

/** The kinds of changes that the user confirmed. */
export type Confirmed = { add: boolean; update: boolean; remove: boolean }

/** The sheet synced last, and the accounts that can read others. */
export type KnownSheets = {
  link: SheetLink | null
  accounts: SheetAccount[]
  /** The vendor to sign in at; null: none. */
  vendor: SheetAccount['vendor'] | null
}

export type ConnectAnswer = { ok: true; url: string } | Refused

export type SyncActs = {
  connect: () => Promise<ConnectAnswer>
  disconnect: (sheet_account_id: string) => Promise<FormResult>
  fetchSheet: (body: { url?: string; sheet_account_id?: string }) => Promise<FetchAnswer>
  upload: (file: { filename: string; size_bytes: number }) => Promise<UploadAnswer>
  fetchLink: (url: string) => Promise<FetchAnswer>
  compare: (upload_id: string) => Promise<ChangesAnswer>
  sync: (body: Confirmed & { upload_id: string; digest: string }) => Promise<SyncAnswer>
}
