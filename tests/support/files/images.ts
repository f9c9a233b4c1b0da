import { crc32, deflateSync } from 'node:zlib'

const joined = (...parts: (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))))
const text = (value: string) => Uint8Array.from(Buffer.from(value, 'latin1'))
const u16 = (value: number) => [value >> 8, value & 0xff]
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)]
const little16 = (value: number) => u16(value).toReversed()
const little24 = (value: number) => [value & 0xff, (value >> 8) & 0xff, value >> 16]
const little32 = (value: number) => u32(value).toReversed()

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined(text(type), data)
  return joined(u32(data.length), body, u32(crc32(body)))
}

const SIGNATURE = text('\x89PNG\r\n\x1a\n')
const header = (width: number, height: number) =>
  pngChunk('IHDR', joined(u32(width), u32(height), [8, 0, 0, 0, 0]))

/** A grey PNG that every decoder opens, with extra chunks before its pixels; `claimed` is a false size for its header. */
export function aPng(
  given: {
    width?: number
    height?: number
    extra?: Uint8Array[]
    claimed?: { width: number; height: number }
  } = {},
): Uint8Array<ArrayBuffer> {
  const { width = 3, height = 2, extra = [], claimed = { width, height } } = given
  const pixels = deflateSync(new Uint8Array(height * (width + 1)).fill(0x80))
  return joined(
    SIGNATURE,
    header(claimed.width, claimed.height),
    ...extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', new Uint8Array()),
  )
}

const segment = (marker: number, content: Uint8Array) =>
  joined([0xff, marker], u16(content.length + 2), content)

/** An EXIF segment with an orientation and a location. */
export function exif(orientation: number, secret: string): Uint8Array {
  const place = text(`${secret}\0`)
  const entries = [
    [...u16(0x0112), ...u16(3), ...u32(1), ...u16(orientation), 0, 0],
    [...u16(0x010e), ...u16(2), ...u32(place.length), ...u32(38)],
  ]
  const directory = joined(u16(2), ...entries, u32(0))
  const tiff = joined(text('MM'), u16(42), u32(8), directory, place)
  return segment(0xe1, joined(text('Exif\0\0'), tiff))
}

export const jpegComment = (said: string) => segment(0xfe, text(said))
export const jfif = (thumbnail: Uint8Array = new Uint8Array()) =>
  segment(
    0xe0,
    joined(
      text('JFIF\0'),
      [1, 1, 0, 0, 1, 0, 1, thumbnail.length / 3, Math.sign(thumbnail.length)],
      thumbnail,
    ),
  )

/** The segments of a JPEG in order; its scan holds no picture, but is delimited like one. */
export function aJpeg({
  width = 8,
  height = 8,
  extra = [] as Uint8Array[],
  trailing = new Uint8Array(),
} = {}) {
  const frame = segment(0xc0, joined([8], u16(height), u16(width), [1, 1, 0x11, 0]))
  const scan = segment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0))
  const data = [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]
  return joined([0xff, 0xd8], jfif(), ...extra, frame, scan, data, [0xff, 0xd9], trailing)
}

export const gifComment = (said: string) => joined([0x21, 0xfe, said.length], text(said), [0])
export const gifLoop = joined([0x21, 0xff, 11], text('NETSCAPE2.0'), [3, 1, 0, 0, 0])

export function aGif({ width = 4, height = 4, frames = 1, extra = [] as Uint8Array[] } = {}) {
  const frame = joined([0x2c, 0, 0, 0, 0], little16(width), little16(height), [0, 2, 2, 0x4c, 0x01, 0])
  return joined(
    text('GIF89a'),
    little16(width),
    little16(height),
    [0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff],
    ...extra,
    ...Array.from({ length: frames }, () => frame),
    [0x3b],
  )
}

export function webpChunk(type: string, data: Uint8Array): Uint8Array {
  return joined(text(type), little32(data.length), data, data.length % 2 ? [0] : [])
}

const riff = (...chunks: Uint8Array[]) => {
  const body = joined(text('WEBP'), ...chunks)
  return joined(text('RIFF'), little32(body.length), body)
}

export const lossless = (width: number, height: number) =>
  webpChunk('VP8L', joined([0x2f], little32(((height - 1) << 14) | (width - 1)), [0]))
export const lossy = (width: number, height: number) =>
  webpChunk('VP8 ', joined([0x10, 0, 0, 0x9d, 0x01, 0x2a], little16(width), little16(height)))

export const aWebp = (picture: Uint8Array = lossy(5, 5)) => riff(picture)
/** The extended form, with flags that announce EXIF and XMP. */
export const anExtendedWebp = (width: number, height: number, ...chunks: Uint8Array[]) =>
  riff(webpChunk('VP8X', joined([0x1c, 0, 0, 0], little24(width - 1), little24(height - 1))), ...chunks)
