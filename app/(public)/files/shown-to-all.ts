/** No scripts and no content sniffing. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

type Shown = { bytes: Uint8Array<ArrayBuffer>; content_type: string }

/** A public image whose URL never changes its content; 404 if it does not exist. */
export const shownToAll = (image: Shown | null): Response =>
  image
    ? new Response(image.bytes, {
        headers: {
          ...SAFE,
          'Content-Type': image.content_type,
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      })
    : new Response('Not found', { status: 404, headers: { ...SAFE, 'Cache-Control': 'no-store' } })
