import { type NextRequest, NextResponse } from 'next/server'
import { env } from '#lib/env'
import { isHiddenOnReportHost } from '#lib/http/report-host'
import { pagePolicy } from '#lib/http/security'
import { PATH_HEADER } from '#lib/http/session-path'
import { uploadPrefix } from '#lib/services/files/storage'
import { hasIdentityProvider } from '#lib/services/workspaces/sign-in/identity-providers'
import { overHttps } from './lib/http/api/headers.mjs'

/** Tells each page its own address, to which whoever has to sign in first comes back. */
function buildHeaders({ headers, nextUrl }: NextRequest): Headers {
  const url = new URL(nextUrl.href)
  // The router's own.
  url.searchParams.delete('_rsc')
  const told = new Headers(headers)
  told.set(PATH_HEADER, `${url.pathname}${url.search}`)
  return told
}

/** What is no page has a policy of its own, or needs none. Answers to actions are no documents; they carry files. */
const isDocument = ({ headers, nextUrl }: NextRequest): boolean =>
  !headers.has('next-action') &&
  !/^\/(api\/|files\/|inbox\/[^/]+\/files\/|mcp|metrics|t\/|_next\/|\.well-known\/)/.test(nextUrl.pathname)

/** Gives each page a policy with a nonce of its own; Next puts the nonce on its scripts. */
export async function proxy(request: NextRequest) {
  const { method, nextUrl } = request
  if (await isHiddenOnReportHost({ host: request.headers.get('host'), method, pathname: nextUrl.pathname }))
    return new NextResponse('Not found', { status: 404 })
  if (!isDocument(request)) return NextResponse.next()
  const headers = buildHeaders(request)
  // What is fetched beforehand is no document: a nonce in it would not be the one of the page that it becomes part of.
  if (request.headers.has('next-router-prefetch')) return NextResponse.next({ request: { headers } })
  const { APP_URL, NODE_ENV } = env()
  const isHttps = APP_URL.startsWith('https:')
  const policy = pagePolicy({
    nonce: Buffer.from(crypto.randomUUID()).toString('base64'),
    isDevelopment: NODE_ENV === 'development',
    isHttps,
    hasIdentityProvider: hasIdentityProvider(),
    uploadPrefix: uploadPrefix(),
  })
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  // Where the web process is not ours; ours says it with every answer.
  if (isHttps) response.headers.set(overHttps.key, overHttps.value)
  return response
}

export const config = {
  matcher: [
    {
      // As above; what passes here by the other door is asked again.
      source: '/((?!api/|files/|mcp|metrics|t/|_next/|\\.well-known/).*)',
      missing: [{ type: 'header', key: 'next-action' }],
    },
    // Of what may be a host of reports, everything: the API and the sign-in are absent there too.
    { source: '/:path*', has: [{ type: 'host', value: 'reports\\..*' }] },
  ],
}
