/** What walking an image from its first byte to its last found. */
export type Walked = {
  /** Of the canvas. */
  width: number
  height: number
  /** Of each frame; one of the canvas' size where the image does not move. */
  frames: Size[]
  /** The image without what says where, when and by whom it was made: put together they are the whole file. */
  parts: Uint8Array[]
}

export type Size = { width: number; height: number }

export const toDataView = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const latin = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
