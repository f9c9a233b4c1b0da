import { openFile } from '#lib/services/files/files'

/** What the content type says and nothing else: no script runs in it, and no browser guesses. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** A file of an owner's, for whoever was given its address. */
export async function GET(_: Request, { params }: RouteContext<'/files/[token]'>) {
  const file = await openFile((await params).token, new Date())
  if (!file)
    return new Response('Not found', { status: 404, headers: { ...SAFE, 'Cache-Control': 'no-store' } })
  return new Response(file.bytes, {
    headers: {
      ...SAFE,
      'Content-Type': file.content_type,
      'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'Cache-Control': 'private, max-age=86400, immutable',
    },
  })
}
