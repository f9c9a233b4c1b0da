import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from '#lib/http/sign-in/auth-options'

const handle = (request: NextRequest, context: RouteContext<'/api/auth/[...nextauth]'>) =>
  NextAuth(authOptions())(request, context)

export { handle as GET, handle as POST }
