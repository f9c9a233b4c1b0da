import { counted, tooLarge } from '#lib/providers/spreadsheet/budget'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import { BeyondFastReader } from '#lib/providers/spreadsheet/xlsx-parts'
import { richText, wholeElements } from '#lib/providers/spreadsheet/xml'
import { streamEntry, type ZipEntry } from '#lib/providers/spreadsheet/zip'

const MAX_SHARED_STRINGS_BYTES = 256_000_000
/** As many as fit into the memory of the reader. */
const MAX_SHARED_STRINGS = 4_000_000
/** A cell holds at most 32,767 characters, plus some markup. */
const STRINGS = { close: '</si>', end: '</sst>', max_chars: 1_000_000, called: 'text' }

/** The strings that cells refer to by index, read only as far as needed. */
export type SharedStrings = {
  at(index: number): string
  /** Reads on until the string with this index is there, or the end. */
  reach(index: number): Promise<void>
  close(): Promise<void>
}

export function sharedStrings(file: SheetFile, entry: ZipEntry | null): SharedStrings {
  const texts: string[] = []
  const batches = stringsIn(file, entry)
  let isOver = false
  return {
    at: (index) => texts[index] ?? '',
    async reach(index) {
      while (!isOver && texts.length <= index) {
        const next = await batches.next()
        if (next.done) isOver = true
        else for (const text of next.value) texts.push(text)
        if (texts.length > MAX_SHARED_STRINGS)
          throw tooLarge(`The file has more than ${counted(MAX_SHARED_STRINGS)} different texts.`)
      }
    },
    close: async () => void (await batches.return()),
  }
}

async function* stringsIn(file: SheetFile, entry: ZipEntry | null): AsyncGenerator<string[], void> {
  if (!entry) return
  let isFirst = true
  for await (const xml of wholeElements(streamEntry(file, entry, MAX_SHARED_STRINGS_BYTES), STRINGS)) {
    if (isFirst && !/<sst[\s>]/.test(xml.slice(0, 4_000))) throw new BeyondFastReader('shared strings part')
    isFirst = false
    yield textsIn(xml)
  }
}

function textsIn(xml: string): string[] {
  const texts: string[] = []
  let at = xml.indexOf('<si')
  while (at !== -1) {
    const open = xml.indexOf('>', at)
    if (open === -1) break
    const close = xml[open - 1] === '/' ? open : xml.indexOf('</si>', open)
    if (close === -1) break
    texts.push(close === open ? '' : richText(xml.slice(open + 1, close)))
    at = xml.indexOf('<si', close)
  }
  return texts
}
