import { importSpreadsheet } from '#lib/services/datasets/uploads'

/** Imports a small list of invented people at reserved domains, for a first trial, through the normal import. */
export async function importSampleLeads(workspaceId: string, now: Date) {
  // Loaded on demand: the workbook writer takes 15 MB, which most processes never need.
  const { demoWorkbook } = await import('#lib/services/sandbox/demo-workbook')
  const { filename, bytes, sheet } = demoWorkbook()
  const file = new File([new Uint8Array(bytes)], filename)
  return importSpreadsheet(workspaceId, { file, sheet, dataset_name: 'Sample leads' }, now)
}
