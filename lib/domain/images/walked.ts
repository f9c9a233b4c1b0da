/** The result of walking an image file from its first byte to its last. */
export type Walked = {
  /** The size of the canvas. */
  width: number
  height: number
  /** The size of each frame; a still image has one frame of the canvas' size. */
  frames: Size[]
  /** The file without metadata on where, when and by whom it was made; joined, the parts are the complete file. */
  parts: Uint8Array[]
}

export type Size = { width: number; height: number }

export const toDataView = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const latin = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
