import { openFile } from '#lib/services/files/files'

/** What the content type says and nothing else: no script runs in it, no browser guesses, and opened by itself it is a download. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** Pages of ours show these; whatever else is kept goes as bytes. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A file of an owner's, for whoever was given its address. */
export async function GET(_: Request, { params }: RouteContext<'/files/[token]'>) {
  const file = await openFile((await params).token, new Date())
  if (!file)
    return new Response('Not found', { status: 404, headers: { ...SAFE, 'Cache-Control': 'no-store' } })
  return new Response(file.bytes, {
    headers: {
      ...SAFE,
      'Content-Type': SHOWN.has(file.content_type) ? file.content_type : 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'Cache-Control': 'private, max-age=86400, immutable',
    },
  })
}
