// Our side: preview of the first rows, as the page requests it, then the import of a stored file, as an upload and its background
// function do it, in its own process. The page has requested the upload URL before, which starts the reader.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { closeDatabase, db } from '#lib/db/client'
import { importRows } from '#lib/services/datasets/import'
import { announceFile, previewSpreadsheet } from '#lib/services/datasets/uploads'
import { adoptFetched } from '#lib/services/files/uploads'
import { peakMemoryMb, timed } from '../harness.ts'

const [file = '', workspace_id = ''] = (process.env.BENCH_SHEET ?? '').split(' ')
const filename = path.basename(file)
const bytes = readFileSync(file)
/** The upload time of even a short file. */
const SENDING_MS = 1_000
await announceFile(workspace_id, { filename, size_bytes: bytes.length }, new Date())
await new Promise((resolve) => setTimeout(resolve, SENDING_MS))
const idle_mb = peakMemoryMb()
let preview_ms = 0
const { ms, result } = await timed(async () => {
  const previewed = await timed(() => previewSpreadsheet(workspace_id, { filename, parts: [bytes] }, 'first'))
  preview_ms = previewed.ms
  const [sheet] = Object.values(previewed.result.sheets)
  const kept = { filename, bytes }
  const { dataset_id, sessions } = await adoptFetched(workspace_id, kept, new Date(), (tx) =>
    tx.dataset.create({
      data: {
        workspace_id,
        dataset_name: 'People',
        source_type: filename.endsWith('.csv') ? 'csv' : 'xlsx',
        sessions: { create: { workspace_id, filename } },
        upload: {
          create: {
            workspace_id,
            filename,
            sheet: sheet?.name ?? '',
            mapping: sheet?.suggested_mapping ?? {},
          },
        },
      },
      include: { sessions: true },
    }),
  )
  return importRows(dataset_id, sessions[0]?.session_id ?? '', new Date())
})
const rss_mb = peakMemoryMb()
await db.dataset.deleteMany({ where: { workspace_id } })
console.log(JSON.stringify({ ms, preview_ms, rows: result?.kept ?? 0, idle_mb, rss_mb }))
await closeDatabase()
