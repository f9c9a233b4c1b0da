import { IMAGE_BYTES, judgeImage } from '#lib/domain/images/judge'
import { aGif, aJpeg, anExtendedWebp, aPng, aWebp, exif, pngChunk } from '#tests/support/files/images'
import { promise, type Target } from '#tests/support/fuzz/target'

/** A published file is a picture, and carries no metadata about who took it. */
export const images: Target = {
  name: 'images',
  max: 32 * 1024,
  seeds: () => [
    aPng(),
    aJpeg({}),
    aGif(),
    aGif({ frames: 3 }),
    aWebp(),
    anExtendedWebp(4, 4),
    aPng({ extra: [pngChunk('eXIf', exif(1, 'secret'))] }),
  ],
  words: [
    '\x89PNG\r\n\x1a\n',
    'IHDR',
    'IDAT',
    'IEND',
    'eXIf',
    'acTL',
    'fcTL',
    'fdAT',
    'tEXt',
    'GIF89a',
    'NETSCAPE2.0',
    'RIFF',
    'WEBP',
    'VP8 ',
    'VP8L',
    'VP8X',
    'ANMF',
    'EXIF',
    'XMP ',
    'Exif\0\0',
    'II*\0',
    'MM\0*',
    '\0\0\0\0',
    '\x00\xff\xff\xff',
  ],
  run(input) {
    const judged = judgeImage(input)
    if (!judged.ok) return
    promise(
      judged.width >= 1 && judged.height >= 1 && Math.max(judged.width, judged.height) <= 6_012,
      'its size is one that networks take',
    )
    promise(judged.bytes.length <= IMAGE_BYTES, 'it is no larger than allowed')
    const again = judgeImage(judged.bytes)
    promise(
      again.ok && again.width === judged.width && Buffer.compare(again.bytes, judged.bytes) === 0,
      'what was cleaned is clean',
    )
  },
}
