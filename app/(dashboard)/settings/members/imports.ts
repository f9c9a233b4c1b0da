'use server'

import type { AddressAnswer, ImportAnswer } from '#components/workspaces/import-workspace'
import * as imports from '#lib/operations/workspaces/imports'
import { answered, perform } from '../../../action.ts'

const thisImport = (import_id: string) => ({ params: { import_id } })

/** The address to which the archive is uploaded. */
export async function makeAddress(file: { filename: string; size_bytes: number }): Promise<AddressAnswer> {
  const made = await answered(() => perform(imports.createWorkspaceImport, { body: file }))
  return made.ok ? { ok: true, address: made.answer } : made
}

export async function startImport(import_id: string): Promise<ImportAnswer> {
  const started = await answered(() => perform(imports.startWorkspaceImport, thisImport(import_id)))
  return started.ok ? { ok: true, asked: started.answer } : started
}

export async function readImport(import_id: string): Promise<ImportAnswer> {
  const read = await answered(() => perform(imports.readWorkspaceImport, thisImport(import_id)))
  return read.ok ? { ok: true, asked: read.answer } : read
}
