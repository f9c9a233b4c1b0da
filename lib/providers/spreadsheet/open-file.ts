import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { SheetFile } from '#lib/providers/spreadsheet/port'

/** A file on disk, read in place. Reads are synchronous, since its reader has nothing else to do. */
export function openSheetFile(path: string): SheetFile & { close(): void } {
  const descriptor = openSync(path, 'r')
  const { size } = fstatSync(descriptor)
  return {
    size,
    read(from, to) {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
      for (let had = 0; had < bytes.length; ) {
        const read = readSync(descriptor, bytes, had, bytes.length - had, from + had)
        if (read === 0) throw new Error('The file became shorter while it was read.')
        had += read
      }
      return bytes
    },
    close: () => closeSync(descriptor),
  }
}
