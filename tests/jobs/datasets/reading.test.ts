import { describe, expect, test } from 'vitest'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { leadRowsOnDisk, previewOnDisk } from '#tests/support/files/on-disk'

const IDS = {
  dataset_id: '018f0000-0000-7000-8000-000000000001',
  workspace_id: '018f0000-0000-7000-8000-000000000002',
}

const text = (content: string) => new TextEncoder().encode(content)

describe('the worker', () => {
  const csv = text(
    `Email\n${Array.from({ length: 40_000 }, (_, at) => `lead${at}@example.com`).join('\n')}\n`,
  )
  const job = {
    filename: 'a.csv',
    sheet: 'a',
    mapping: { Email: 'email' },
    email_required: true,
    ...IDS,
  } as const

  test('refuses what is no spreadsheet with the code that says which', async () => {
    const refusal = await previewOnDisk(IDS.workspace_id, text('%PDF-1.7'), 'a.pdf').catch(
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(SpreadsheetError)
    expect(refusal).toMatchObject({ code: 'not_a_spreadsheet', message: expect.stringContaining('PDF') })
  })

  test('serves a slow reader in order, without losing a row', async () => {
    const rows = leadRowsOnDisk(csv, job)
    let kept = 0
    for (let next = await rows.next(); !next.done; next = await rows.next()) {
      const first = new TextDecoder().decode(next.value.rows.subarray(0, 60)).split('\t')[1]
      expect(Number(first)).toBe(kept)
      kept += next.value.kept
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(kept).toBe(40_000)
  })

  test('ends when the reader leaves early, and frees its place for others', async () => {
    for (let n = 0; n < 3; n++) {
      for await (const batch of leadRowsOnDisk(csv, job)) {
        expect(batch.kept).toBe(2_000)
        break
      }
    }
    expect((await previewOnDisk(IDS.workspace_id, csv, 'a.csv')).total_sheets).toBe(1)
  })

  test('serves more callers than it has places, one after the other', async () => {
    const previews = await Promise.all(
      Array.from({ length: 3 }, () => previewOnDisk(IDS.workspace_id, csv, 'a.csv')),
    )
    expect(previews.map((preview) => preview.sheets.a?.row_count)).toEqual([40_000, 40_000, 40_000])
  })

  test('leaves the event loop free while it reads', async () => {
    // Counts turns of the event loop, however short the reading is: reading in this thread would leave at most one turn for each piece of
    // the file.
    let turns = 0
    let reading = true
    const turn = () => {
      turns++
      if (reading) setImmediate(turn)
    }
    setImmediate(turn)
    await previewOnDisk(IDS.workspace_id, csv, 'a.csv')
    reading = false
    expect(turns).toBeGreaterThan(100)
  })

  test('names a sheet or column that the file does not have', async () => {
    await expect(leadRowsOnDisk(csv, { ...job, sheet: 'b' }).next()).rejects.toThrow('no sheet "b"')
    await expect(leadRowsOnDisk(csv, { ...job, mapping: { X: 'email' } }).next()).rejects.toThrow(
      'no column "X"',
    )
  })
})
