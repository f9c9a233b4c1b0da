import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeLeftCopies, withCopy } from '#lib/services/files/working-copy'

const HOUR_MS = 3_600_000
let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'copies-'))
  process.env.TMPDIR = folder
})
afterEach(() => {
  delete process.env.TMPDIR
  fs.rmSync(folder, { recursive: true })
})

const parts = (...texts: string[]) => texts.map((text) => Buffer.from(text))

test('a copy is there as a whole while it is read, for this user alone, and gone afterwards', async () => {
  const seen = await withCopy(
    { filename: 'a.csv', parts: parts('Email\n', 'ann@', 'a.test') },
    async (copy) => {
      const mode = fs.statSync(copy.path).mode & 0o777
      return { mode, size: copy.size, filename: copy.filename, text: fs.readFileSync(copy.path, 'utf8') }
    },
  )
  expect(seen).toEqual({ mode: 0o600, size: 16, filename: 'a.csv', text: 'Email\nann@a.test' })
  expect(fs.readdirSync(folder)).toEqual([])
})

test('a copy goes too where its reading fails, or its parts end in an error', async () => {
  const file = { filename: 'a.csv', parts: parts('Email\n') }
  await expect(withCopy(file, () => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable')
  let isRead = false
  async function* cutOff() {
    yield* parts('Email\n')
    throw new Error('cut off')
  }
  const use = async () => {
    isRead = true
  }
  await expect(withCopy({ filename: 'a.csv', parts: cutOff() }, use)).rejects.toThrow('cut off')
  expect([isRead, fs.readdirSync(folder)]).toEqual([false, []])
})

test('what a killed process left is removed after an hour, and nothing else', async () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const aged = (name: string, age_ms: number) => {
    fs.writeFileSync(path.join(folder, name), 'Email')
    const at = new Date(now.getTime() - age_ms)
    fs.utimesSync(path.join(folder, name), at, at)
  }
  aged('opener-sheet-old', HOUR_MS + 1_000)
  aged('opener-sheet-new', HOUR_MS - 1_000)
  aged('of-another-program', 9 * HOUR_MS)
  expect(await removeLeftCopies(now)).toBe(1)
  expect(fs.readdirSync(folder).toSorted()).toEqual(['of-another-program', 'opener-sheet-new'])
})
