import { beforeAll, expect, test } from 'vitest'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { HOSTILE_FILES } from '#tests/support/files/hostile-files'
import { previewOnDisk } from '#tests/support/files/on-disk'
import { peakOfReaders } from '#tests/support/reader/memory'

const OWNER = 'a'
const HONEST = new TextEncoder().encode('Email\nanna@example.com\n')

/** The memory limit for one file, and what may be allocated between two checks of the watchdog. */
const MEMORY_MB = 300
const BETWEEN_LOOKS_MB = 75

let atRest: number
beforeAll(async () => {
  atRest = await peakOfReaders(() => previewOnDisk(OWNER, HONEST, 'a.csv'))
  expect(atRest).toBeGreaterThan(0)
})

test.each(HOSTILE_FILES)('%s: read, or refused by a limit that is named', async (_, filename, make, end) => {
  const bytes = make()
  let said = 'read'
  const peak = await peakOfReaders(async () => {
    await previewOnDisk(OWNER, bytes, filename).catch((error: Error) => (said = error.message))
  })
  expect(said).toMatch(end)
  expect(peak - atRest).toBeLessThan(MEMORY_MB + BETWEEN_LOOKS_MB)
  const peakOfFirst = await peakOfReaders(async () => {
    await previewOnDisk(OWNER, bytes, filename, 'first').catch((error: unknown) =>
      expect(error).toBeInstanceOf(SpreadsheetError),
    )
  })
  expect(peakOfFirst - atRest).toBeLessThan(MEMORY_MB + BETWEEN_LOOKS_MB)
  // Whatever happened, the next file can be read.
  expect(await previewOnDisk(OWNER, HONEST, 'a.csv')).toMatchObject({ total_sheets: 1 })
})

/** A file of 0.1 MB that takes a second to read. */
const heavyFile = () =>
  HOSTILE_FILES.find(([name]) => name === 'cells that are never closed')?.[2]() ?? HONEST

test('four heavy files of one owner do not hold up another’s preview', async () => {
  const bytes = heavyFile()
  const order: string[] = []
  const told = (name: string) => () => void order.push(name)
  const flood = Array.from({ length: 4 }, () => previewOnDisk('a', bytes, 'a.xlsx').then(told('a')))
  await Promise.all([...flood, previewOnDisk('b', HONEST, 'b.csv').then(told('b'))])
  expect(order).toEqual(['b', 'a', 'a', 'a', 'a'])
})

test('where both readers are taken, another waits for the first that is free, not for the whole queue', async () => {
  const bytes = heavyFile()
  const order: string[] = []
  const told = (name: string) => () => void order.push(name)
  await Promise.all([
    previewOnDisk('a', bytes, 'a.xlsx').then(told('a')),
    previewOnDisk('c', bytes, 'c.xlsx').then(told('c')),
    ...Array.from({ length: 3 }, () => previewOnDisk('a', bytes, 'a.xlsx').then(told('a'))),
    previewOnDisk('b', HONEST, 'b.csv').then(told('b')),
  ])
  expect(order.indexOf('b')).toBeLessThanOrEqual(2)
})
