import type { SheetFile } from '#lib/providers/spreadsheet/port'

/** A file that is held in memory. `onRead` gets the size of each read. */
export const heldFile = (bytes: Uint8Array, onRead: (size: number) => void = () => {}): SheetFile => ({
  size: bytes.length,
  read(from, to) {
    const part = new Uint8Array(bytes.subarray(from, to))
    onRead(part.length)
    return part
  },
})
