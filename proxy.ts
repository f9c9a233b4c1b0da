import { type NextRequest, NextResponse } from 'next/server'
import { env } from '#lib/env'
import { isHiddenOnReportHost } from '#lib/http/report-host'
import { pagePolicy } from '#lib/http/security'
import { PATH_HEADER } from '#lib/http/session-path'
import { uploadPrefix } from '#lib/services/files/storage'
import { hasIdentityProvider } from '#lib/services/workspaces/sign-in/identity-providers'
import { overHttps } from './lib/http/api/headers.mjs'

/** Passes its own address to each page, so that a visitor who has to sign in first comes back to it. */
function buildHeaders({ headers, nextUrl }: NextRequest): Headers {
  const url = new URL(nextUrl.href)
  // Added by the router; not part of the page's address.
  url.searchParams.delete('_rsc')
  const told = new Headers(headers)
  told.set(PATH_HEADER, `${url.pathname}${url.search}`)
  return told
}

/** Anything but a page has its own policy or needs none. Responses to server actions are not documents; they carry files. */
const isDocument = ({ headers, nextUrl }: NextRequest): boolean =>
  !headers.has('next-action') &&
  !/^\/(api\/|files\/|inbox\/[^/]+\/files\/|mcp|metrics|t\/|_next\/|\.well-known\/)/.test(nextUrl.pathname)

/** Gives each page a policy with its own nonce; Next puts the nonce on its scripts. */
export async function proxy(request: NextRequest) {
  const { method, nextUrl } = request
  if (await isHiddenOnReportHost({ host: request.headers.get('host'), method, pathname: nextUrl.pathname }))
    return new NextResponse('Not found', { status: 404 })
  if (!isDocument(request)) return NextResponse.next()
  const headers = buildHeaders(request)
  // A prefetch is not a document: it becomes part of a page whose nonce is another.
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
  // For hosts where the web process is not ours; our own web process sets the header on every response.
  if (isHttps) response.headers.set(overHttps.key, overHttps.value)
  return response
}

export const config = {
  matcher: [
    {
      // As in `isDocument`. A path that matches the other rule is checked again there.
      source: '/((?!api/|files/|mcp|metrics|t/|_next/|\\.well-known/).*)',
      missing: [{ type: 'header', key: 'next-action' }],
    },
    // On a host that may serve client reports, every path: the API and the sign-in are hidden there too.
    { source: '/:path*', has: [{ type: 'host', value: 'reports\\..*' }] },
  ],
}
