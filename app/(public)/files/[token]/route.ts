import { openFile } from '#lib/services/files/files'

/** No scripts, no content sniffing, and a download when opened directly. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** Types shown inline on our pages; all others are served as binary data. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A user's file, for anybody who knows its URL. */
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
