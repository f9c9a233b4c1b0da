import { importSpreadsheet } from '#lib/services/datasets/uploads'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'

/** A small list of invented people at reserved domains, for a first try; it goes the way of every other file. */
export async function importSampleLeads(workspaceId: string, now: Date) {
  const { filename, bytes, sheet } = demoWorkbook()
  const file = new File([new Uint8Array(bytes)], filename)
  return importSpreadsheet(workspaceId, { file, sheet, dataset_name: 'Sample leads' }, now)
}
