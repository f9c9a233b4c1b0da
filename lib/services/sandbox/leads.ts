import { importSpreadsheet } from '#lib/services/datasets/uploads'

/** A small list of invented people at reserved domains, for a first try; it goes the way of every other file. */
export async function importSampleLeads(workspaceId: string, now: Date) {
  // What writes a workbook takes 15 MB, which a process that never does can do without.
  const { demoWorkbook } = await import('#lib/services/sandbox/demo-workbook')
  const { filename, bytes, sheet } = demoWorkbook()
  const file = new File([new Uint8Array(bytes)], filename)
  return importSpreadsheet(workspaceId, { file, sheet, dataset_name: 'Sample leads' }, now)
}
