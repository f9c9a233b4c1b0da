import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IMAGE_BYTES, judgeImage } from '#lib/domain/images/judge'
import { readOrientation } from '#lib/domain/images/orientation'
import {
  aGif,
  aJpeg,
  anExtendedWebp,
  aPng,
  aWebp,
  exif,
  gifComment,
  gifLoop,
  jfif,
  jpegComment,
  lossless,
  lossy,
  pngChunk,
  webpChunk,
} from '#tests/support/files/images'

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const holds = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text, 0, 'latin1')
const taken = (bytes: Uint8Array) => {
  const judged = judgeImage(bytes)
  if (!judged.ok) throw new Error(judged.reason)
  return judged
}

describe('what is an image', () => {
  test.each([
    ['PNG', aPng(), 'image/png', 3, 2],
    ['JPEG', aJpeg({ width: 640, height: 480 }), 'image/jpeg', 640, 480],
    ['GIF', aGif({ width: 300, height: 200, frames: 3 }), 'image/gif', 300, 200],
    ['WebP with loss', aWebp(lossy(800, 600)), 'image/webp', 800, 600],
    ['WebP without loss', aWebp(lossless(1_234, 567)), 'image/webp', 1_234, 567],
    ['extended WebP', anExtendedWebp(1_000, 2_000, lossy(1_000, 2_000)), 'image/webp', 1_000, 2_000],
    ['the largest', aPng({ claimed: { width: 6_012, height: 6_012 } }), 'image/png', 6_012, 6_012],
  ])('%s, by its content', (_, bytes, content_type, width, height) => {
    expect(judgeImage(bytes)).toMatchObject({ ok: true, content_type, width, height })
  })

  const cut = (bytes: Uint8Array, by = 1) => bytes.subarray(0, bytes.length - by)
  test.each([
    ['nothing', new Uint8Array(), 'empty'],
    [
      'an SVG',
      bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'not a PNG',
    ],
    ['a page', bytesOf('<!doctype html><script>alert(1)</script>'), 'not a PNG'],
    ['a page behind the name of a GIF', bytesOf('GIF89a<script>alert(1)</script>'), 'damaged'],
    ['a BMP', bytesOf('BM\x3a\0\0\0'), 'not a PNG'],
    ['a RIFF that is a sound', bytesOf('RIFF\x24\0\0\0WAVEfmt '), 'not a PNG'],
    ['half a signature', aPng().subarray(0, 5), 'not a PNG'],
    ['a PNG that is cut off', cut(aPng()), 'damaged'],
    [
      'a PNG without pixels',
      Buffer.concat([aPng().subarray(0, 33), pngChunk('IEND', new Uint8Array())]),
      'damaged',
    ],
    [
      'a PNG that does not begin with its header',
      Buffer.concat([aPng().subarray(0, 8), aPng().subarray(33)]),
      'damaged',
    ],
    ['a JPEG that is cut off', cut(aJpeg(), 2), 'damaged'],
    ['a JPEG without a frame', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9), 'damaged'],
    ['a GIF that is cut off', cut(aGif()), 'damaged'],
    ['a GIF without a frame', aGif({ frames: 0 }), 'damaged'],
    ['a WebP that is cut off', cut(aWebp(), 4), 'damaged'],
    ['a WebP without a picture', anExtendedWebp(5, 5), 'damaged'],
    ['an image without pixels', aPng({ claimed: { width: 0, height: 5 } }), 'no pixels'],
  ])('%s is not', (_, bytes, reason) => {
    expect(judgeImage(bytes)).toMatchObject({
      ok: false,
      code: 'not_an_image',
      reason: expect.stringContaining(reason),
    })
  })

  test.each([
    [
      'a header of 60,000 pixels a side',
      aPng({ claimed: { width: 60_000, height: 60_000 } }),
      '60000 × 60000',
    ],
    ['one side too long', aJpeg({ width: 6_013, height: 1 }), '6013 × 1'],
    ['a frame larger than its canvas', anExtendedWebp(10, 10, lossless(16_384, 16_384)), '6012'],
    ['frames without end', aGif({ width: 6_000, height: 6_000, frames: 12 }), '12 frames'],
    ['more than 10 MiB', new Uint8Array(IMAGE_BYTES + 1), '10 MiB'],
  ])('%s is too large', (_, bytes, reason) => {
    expect(judgeImage(bytes)).toMatchObject({
      ok: false,
      code: 'image_too_large',
      reason: expect.stringContaining(reason),
    })
  })
})

describe('what is not kept', () => {
  test.each([
    [
      'PNG',
      aPng({
        extra: [pngChunk('eXIf', bytesOf('52.5200,13.4050')), pngChunk('tEXt', bytesOf('Author\0 52.5200'))],
      }),
      aPng(),
    ],
    ['GIF', aGif({ extra: [gifComment('52.5200,13.4050'), gifLoop] }), aGif({ extra: [gifLoop] })],
    ['JPEG', aJpeg({ extra: [exif(1, '52.5200,13.4050'), jpegComment('52.5200')] }), aJpeg()],
    ['JPEG behind its end', aJpeg({ trailing: bytesOf('52.5200,13.4050') }), aJpeg()],
  ])('the place in a %s; the picture stays as it was', (_, bytes, without) => {
    expect(holds(bytes, '52.5200')).toBe(true)
    expect(Buffer.from(taken(bytes).bytes)).toEqual(Buffer.from(without))
  })

  test('the place in a WebP, nor the flags that announce it', () => {
    const picture = lossy(5, 5)
    const notes = [webpChunk('EXIF', bytesOf('52.5200,13.4050')), webpChunk('XMP ', bytesOf('52.5200'))]
    const { bytes } = taken(anExtendedWebp(5, 5, picture, ...notes))
    expect(holds(bytes, '52.5200')).toBe(false)
    expect(bytes[20]).toBe(0x10)
    expect(bytes.length).toBe(8 + new DataView(bytes.buffer).getUint32(4, true))
    expect(taken(bytes).bytes).toEqual(bytes)
  })

  test('the thumbnail of a JPEG, which may show what was cut away', () => {
    const { bytes } = taken(aJpeg({ extra: [jfif(bytesOf('52.'))] }))
    expect(holds(bytes, '52.')).toBe(false)
  })

  test.each([2, 3, 6, 8])('which way is up stays (%i)', (orientation) => {
    const { bytes } = taken(aJpeg({ extra: [exif(orientation, 'Berlin')] }))
    expect(holds(bytes, 'Berlin')).toBe(false)
    expect(readOrientation(bytes.subarray(6))).toBe(orientation)
    // Processing the result again changes nothing.
    expect(taken(bytes).bytes).toEqual(bytes)
  })
})

test('bytes of any kind are judged without failing, and never made larger than a header', () => {
  const heads = [aPng(), aJpeg(), aGif(), aWebp(), anExtendedWebp(9, 9, lossless(9, 9))]
  const damaged = fc
    .tuple(
      fc.constantFrom(...heads),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }),
      fc.uint8Array(),
    )
    .map(([head, changes, tail]) => {
      const bytes = new Uint8Array(Buffer.concat([head, tail]))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      return bytes
    })
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 64 })), (bytes) => {
      const judged = judgeImage(bytes)
      expect(judged.ok || judged.reason).toBeTruthy()
      if (!judged.ok) return
      expect(judged.bytes.length).toBeLessThanOrEqual(bytes.length + 40)
      expect(judgeImage(judged.bytes)).toEqual({ ...judged, bytes: judged.bytes })
    }),
    { numRuns: Number(process.env.RUNS ?? 500) },
  )
})
