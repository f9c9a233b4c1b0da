import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { readText } from '#lib/http/parse'
import { authOptions } from '#lib/http/sign-in/auth-options'

/** Enough for a small form. */
const MAX_BYTES = 64 * 1024

async function handle(request: NextRequest, context: RouteContext<'/api/auth/[...nextauth]'>) {
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  // next-auth itself would read a body of any size.
  const read = new NextRequest(request.url, {
    method: request.method,
    headers: request.headers,
    body: request.method === 'POST' ? body : null,
  })
  return NextAuth(authOptions())(read, context)
}

export { handle as GET, handle as POST }
