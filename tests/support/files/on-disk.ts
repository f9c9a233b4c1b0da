import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PreviewRows } from '#lib/domain/datasets/preview-rows'
import { readLeadRows, readPreview } from '#lib/services/reading/files'
import type { LeadRowsJob } from '#lib/services/reading/lead-rows'

/** Runs a reader on a file that exists on disk for as long as it reads. */
export async function previewOnDisk(owner: string, bytes: Uint8Array, filename: string, rows?: PreviewRows) {
  const place = written(bytes)
  return readPreview(owner, place, filename, rows).finally(() => rmSync(place))
}

export async function* leadRowsOnDisk(bytes: Uint8Array, job: LeadRowsJob) {
  const place = written(bytes)
  try {
    return yield* readLeadRows(place, job)
  } finally {
    rmSync(place)
  }
}

function written(bytes: Uint8Array): string {
  const place = path.join(tmpdir(), `test-sheet-${randomUUID()}`)
  writeFileSync(place, bytes)
  return place
}
